import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GameBridge } from '#server/modules/game-bridge/index.ts'
import { APPLIED, luong, to } from './bridge-rules.ts'
import {
  expectAnswer,
  expectGain,
  NotObservable,
  type Rule,
  type TestedGame,
  untilCollected,
} from './rule.ts'
import { expectClientError, send, type WireSubject } from './wire-rules.ts'

type GameCharge = Parameters<GameBridge['charge']>[0]
type Outcome = Awaited<ReturnType<GameBridge['charge']>>

const REPEATS = 6
const ROUNDS = 8
const LUONG_MAX = 1_000_000_000
const ASK_AGAIN_MS = 100

const chargeOf = ({ serverId, account, characterId }: TestedGame, quantity: number): GameCharge => ({
  id: randomUUID(),
  serverId,
  account,
  characterId,
  luong: quantity,
})

/** One try of a charge. Without charges, or while the character is away, there is nothing to see. */
async function sent({ game }: TestedGame, charge: GameCharge): Promise<Outcome> {
  const outcome = await game.charge(charge)
  if (outcome.kind !== 'refused') return outcome
  if (outcome.reason === 'not-supported')
    throw new NotObservable('not supported: the game does not have PUT /v1/charges/{id}')
  if (outcome.reason === 'offline')
    throw new NotObservable('the character is not in the game, so nothing can be taken from it')
  return outcome
}

/** Gives the character something that can be taken; what it holds then. */
async function filled(subject: TestedGame, quantity: number): Promise<number | null> {
  const delivery = to(subject, luong(quantity))
  expectAnswer('the delivery', await subject.game.deliver(delivery), APPLIED)
  const waited = await untilCollected(subject, delivery.id)
  if (waited !== 'collected') throw new NotObservable(`the luong to be taken is not collected (${waited})`)
  return subject.luong()
}

/** What is given back may have to be collected first. */
async function expectGivenBack(subject: TestedGame, before: number | null): Promise<void> {
  for (const end = performance.now() + subject.collectMs; performance.now() < end; await sleep(ASK_AGAIN_MS))
    if ((await subject.luong()) === before) break
  await expectGain(subject, { before, gain: 0 })
}

/** With less luong than the most that one charge may take; the rest is given back in the end. */
async function whileNotRich(subject: TestedGame, work: () => Promise<void>): Promise<void> {
  const taken: GameCharge[] = []
  try {
    while (((await subject.luong()) ?? 0) >= LUONG_MAX - 1 && taken.length < 3) {
      const charge = chargeOf(subject, LUONG_MAX)
      expectAnswer('a charge of what there is', await sent(subject, charge), APPLIED)
      taken.push(charge)
    }
    await work()
  } finally {
    for (const { id } of taken) await subject.game.refundCharge(id)
  }
}

const REFUNDED = { kind: 'refused', reason: 'refunded' }

/** Luong for a fee is taken once, and given back once. */
export const CHARGE_RULES: Rule<TestedGame>[] = [
  {
    name: 'takes a charge once, however often it is repeated, at once or later',
    async check(subject) {
      const charge = chargeOf(subject, 3)
      const before = await filled(subject, 5)
      const outcomes = await Promise.all(Array.from({ length: REPEATS }, () => sent(subject, charge)))
      outcomes.push(await sent(subject, charge))
      for (const outcome of outcomes) expectAnswer('a repeat', outcome, APPLIED)
      await expectGain(subject, { before, gain: -3 })
    },
  },
  {
    name: 'answers another body under the id of a charge with a conflict and takes nothing',
    async check(subject) {
      const charge = chargeOf(subject, 1)
      const before = await filled(subject, 5)
      expectAnswer('the first', await sent(subject, charge), APPLIED)
      expectAnswer('the other body', await sent(subject, { ...charge, luong: 2 }), { kind: 'conflict' })
      await expectGain(subject, { before, gain: -1 })
    },
  },
  {
    name: 'refuses to take more than there is as insufficient, and keeps to it',
    async check(subject) {
      const insufficient = { kind: 'refused', reason: 'insufficient' }
      await whileNotRich(subject, async () => {
        const before = await filled(subject, 1)
        if (before === null) throw new NotObservable('what the character holds is not seen')
        const charge = chargeOf(subject, before + 1)
        expectAnswer('the charge', await sent(subject, charge), insufficient)
        await filled(subject, 1)
        expectAnswer('the repeat, when there is enough', await sent(subject, charge), insufficient)
        await expectGain(subject, { before, gain: 1 })
      })
    },
  },
  {
    name: 'charges no character that it does not have',
    async check(subject) {
      for (const other of [{ characterId: '999999999' }, { account: 'khong-co-ai' }, { serverId: '9999' }]) {
        const outcome = await sent(subject, { ...chargeOf(subject, 1), ...other })
        expectAnswer(JSON.stringify(other), outcome.kind, 'refused')
      }
    },
  },
  {
    name: 'gives a charge back once, however often it is asked to, and refuses it from then on',
    async check(subject) {
      const charge = chargeOf(subject, 4)
      const before = await filled(subject, 5)
      expectAnswer('the charge', await sent(subject, charge), APPLIED)
      await Promise.all(Array.from({ length: REPEATS }, () => subject.game.refundCharge(charge.id)))
      await subject.game.refundCharge(charge.id)
      await expectGivenBack(subject, before)
      expectAnswer('the charge, sent again', await sent(subject, charge), REFUNDED)
      // What looks for something to give has looked again.
      await sleep(subject.collectMs / 2)
      await expectGain(subject, { before, gain: 0 })
    },
  },
  {
    name: 'refuses for good a charge that was given back before it arrived',
    async check(subject) {
      const charge = chargeOf(subject, 2)
      const before = await filled(subject, 5)
      // Whether it has charges at all.
      await sent(subject, { ...chargeOf(subject, 1), characterId: '999999999' })
      await subject.game.refundCharge(charge.id)
      expectAnswer('the late charge', await sent(subject, charge), REFUNDED)
      await expectGivenBack(subject, before)
    },
  },
  {
    name: 'decides once between a charge and its refund that meet',
    async check(subject) {
      const before = await filled(subject, ROUNDS)
      for (let round = 0; round < ROUNDS; round++) {
        const charge = chargeOf(subject, 1)
        const [outcome] = await Promise.all([sent(subject, charge), subject.game.refundCharge(charge.id)])
        if (outcome.kind !== 'applied') expectAnswer('the charge', outcome, REFUNDED)
      }
      await expectGivenBack(subject, before)
    },
  },
]

/** The exact answers about charges. */
export const WIRE_CHARGE_RULES: Rule<WireSubject>[] = [
  {
    name: 'answers about charges in the contract’s very words',
    async check(subject) {
      await filled(subject, 5)
      const { id, serverId: server_id, account, characterId: character_id } = chargeOf(subject, 1)
      const path = `/v1/charges/${id}`
      const put = (changed: object = {}, at = path) => {
        const body = JSON.stringify({ server_id, account, character_id, luong: 1, ...changed })
        return send(subject, { method: 'PUT', path: at, body })
      }
      const statusOf = async () => {
        const { status, body } = await send(subject, { method: 'GET', path })
        return [status, body]
      }
      const { status, body, type } = await put()
      if (status === 404)
        throw new NotObservable('not supported: the game does not have PUT /v1/charges/{id}')
      if (body?.reason === 'offline') throw new NotObservable('the character is not in the game')
      expectAnswer('a charge', [status, body], [200, { status: 'applied' }])
      expectAnswer('its content type', /^application\/json *(;|$)/i.test(type), true)
      expectAnswer('its status', await statusOf(), [200, { status: 'applied' }])
      expectAnswer('another body', (await put({ luong: 2 })).status, 409)
      for (const wrong of [{ luong: 0 }, { luong: 1.5 }, { luong: '1' }, { account: 7 }])
        expectClientError(JSON.stringify(wrong), await put(wrong, `/v1/charges/${randomUUID()}`))
      const unsigned = await send(subject, { method: 'POST', path: `${path}/refund` }, { header: null })
      expectAnswer('an unsigned refund', unsigned.status, 401)
      const refund = await send(subject, { method: 'POST', path: `${path}/refund` })
      expectAnswer('a refund', [refund.status, refund.body], [200, { status: 'refunded' }])
      expectAnswer('its status', await statusOf(), [200, { status: 'refunded' }])
      const stranger = await send(subject, { method: 'GET', path: `/v1/charges/${randomUUID()}` })
      expectAnswer('one it never heard of', [stranger.status, stranger.body], [200, { status: 'unknown' }])
    },
  },
]
