import { randomUUID } from 'node:crypto'
import type { Good } from '#contract/deliveries.ts'
import {
  aBoardOf,
  hasYen,
  expectAnswer,
  expectGain,
  NotObservable,
  type Rule,
  type TestedGame,
} from './rule.ts'

export const luong = (quantity: number): Good[] => [{ kind: 'luong', quantity }]

export const to = ({ serverId, account, characterId }: TestedGame, goods: Good[] = luong(1)) => ({
  id: randomUUID() as string,
  serverId,
  account,
  characterId,
  goods,
})

export const APPLIED = { kind: 'applied' }
/** Holds a hyphen, so no username of the portal is like it. */
export const NOBODY = 'khong-co-ai'
/** What a database would find an account by if it compared names as patterns. */
export const patternsFor = (account: string): string[] => [
  '%',
  `${account.slice(0, 1)}%`,
  `${account.slice(0, -1)}_`,
  '_'.repeat(account.length),
]

const ROUNDS = 10
export const RANKED_MAX = 1_000

const valueOf = ({ value }: { value: number }) => value

async function expectRefused(
  subject: TestedGame,
  delivery: ReturnType<typeof to>,
  what: string,
): Promise<void> {
  const { kind } = await subject.game.deliver(delivery)
  expectAnswer(what, kind, 'refused')
}

/** What the portal relies on of any game, the embedded one and those over HTTP. */
export const BRIDGE_RULES: Rule<TestedGame>[] = [
  {
    name: 'lists an account’s characters on one server',
    async check({ game, serverId, account, characterId }) {
      const ids = (await game.listCharacters(serverId, account)).map(({ id }) => id)
      if (!ids.includes(characterId)) throw new Error(`${characterId} is not among ${ids.join(', ')}`)
    },
  },
  {
    name: 'answers an account nobody has with an empty list, a pattern too',
    async check({ game, serverId, account }) {
      for (const nobody of [NOBODY, ...patternsFor(account)])
        expectAnswer(`the list of ${nobody}`, await game.listCharacters(serverId, nobody), [])
    },
  },
  {
    name: 'does not know a delivery it never heard of',
    async check({ game }) {
      expectAnswer('its status', await game.deliveryStatus(randomUUID()), 'unknown')
    },
  },
  {
    name: 'hands a delivery over once, however often it is repeated, at once or later',
    async check(subject) {
      const { game } = subject
      const before = await subject.luong()
      const yen: Good[] = (await hasYen(subject)) ? [{ kind: 'yen', quantity: 5 }] : []
      const delivery = to(subject, [...luong(3), ...yen])
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => game.deliver(delivery)))
      outcomes.push(await game.deliver(delivery))
      for (const outcome of outcomes) expectAnswer('a repeat', outcome, APPLIED)
      expectAnswer('its status', await game.deliveryStatus(delivery.id), 'applied')
      await expectGain(subject, { before, gain: 3, from: [delivery] })
    },
  },
  {
    name: 'takes different deliveries for one character at once, each of them whole',
    async check(subject) {
      const before = await subject.luong()
      const deliveries = Array.from({ length: 6 }, () => to(subject, luong(2)))
      const outcomes = await Promise.all(deliveries.map((delivery) => subject.game.deliver(delivery)))
      for (const outcome of outcomes) expectAnswer('a delivery', outcome, APPLIED)
      await expectGain(subject, { before, gain: 12, from: deliveries })
    },
  },
  {
    name: 'answers another body under the same id with a conflict and changes nothing',
    async check(subject) {
      const before = await subject.luong()
      const delivery = to(subject)
      expectAnswer('the first', await subject.game.deliver(delivery), APPLIED)
      const other = { ...delivery, goods: luong(50) }
      expectAnswer('the other body', await subject.game.deliver(other), { kind: 'conflict' })
      await expectGain(subject, { before, gain: 1, from: [delivery] })
    },
  },
  {
    name: 'refuses a character it does not have, and keeps to it',
    async check(subject) {
      const delivery = { ...to(subject), characterId: '999999999' }
      await expectRefused(subject, delivery, 'the delivery')
      await expectRefused(subject, delivery, 'the repeat')
      await expectRefused(subject, { ...to(subject), characterId: 'không phải số' }, 'an odd id')
      expectAnswer('its status', await subject.game.deliveryStatus(delivery.id), 'unknown')
      const { kind } = await subject.game.deliver({ ...delivery, characterId: subject.characterId })
      expectAnswer('another character under the id it refused', kind, 'conflict')
    },
  },
  {
    name: 'cancels what it refused, and goes on refusing it',
    async check(subject) {
      const delivery = { ...to(subject), characterId: '999999999' }
      await expectRefused(subject, delivery, 'the delivery')
      expectAnswer('the cancellation', await subject.game.cancel(delivery.id), 'cancelled')
      await expectRefused(subject, delivery, 'the repeat')
    },
  },
  {
    name: 'refuses a character of another account or server',
    async check(subject) {
      const before = await subject.luong()
      for (const nobody of [NOBODY, ...patternsFor(subject.account)])
        await expectRefused(subject, { ...to(subject), account: nobody }, `for the account ${nobody}`)
      await expectRefused(subject, { ...to(subject), serverId: '9999' }, 'on another server')
      await expectGain(subject, { before, gain: 0 })
    },
  },
  {
    name: 'refuses goods it cannot hand over, and hands over none of them',
    async check(subject) {
      const before = await subject.luong()
      const broken: Good[][] = [[], luong(0), luong(1.5), [...luong(5), { kind: 'item', quantity: 1 }]]
      for (const goods of broken) await expectRefused(subject, to(subject, goods), JSON.stringify(goods))
      await expectGain(subject, { before, gain: 0 })
    },
  },
  {
    name: 'refuses for good what was cancelled before it arrived',
    async check(subject) {
      const { game } = subject
      const before = await subject.luong()
      const delivery = to(subject)
      expectAnswer('the cancellation', await game.cancel(delivery.id), 'cancelled')
      expectAnswer('the repeated cancellation', await game.cancel(delivery.id), 'cancelled')
      expectAnswer('its status', await game.deliveryStatus(delivery.id), 'cancelled')
      await expectRefused(subject, delivery, 'the late delivery')
      await expectRefused(subject, delivery, 'its repeat')
      await expectGain(subject, { before, gain: 0 })
    },
  },
  {
    name: 'says that a cancellation came too late',
    async check(subject) {
      const delivery = to(subject)
      expectAnswer('the delivery', await subject.game.deliver(delivery), APPLIED)
      expectAnswer('the cancellation', await subject.game.cancel(delivery.id), 'applied')
      expectAnswer('its status', await subject.game.deliveryStatus(delivery.id), 'applied')
    },
  },
  {
    name: 'decides once between a delivery and its cancellation that meet',
    async check(subject) {
      const { game } = subject
      const before = await subject.luong()
      const arrived: { id: string }[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const delivery = to(subject)
        const [outcome, cancelled] = await Promise.all([game.deliver(delivery), game.cancel(delivery.id)])
        const isApplied = outcome.kind === 'applied'
        expectAnswer('the cancellation', cancelled, isApplied ? 'applied' : 'cancelled')
        if (isApplied) arrived.push(delivery)
      }
      await expectGain(subject, { before, gain: arrived.length, from: arrived })
    },
  },
  {
    name: 'ranks by what a board counts, the most first, no more than asked for',
    async check(subject) {
      const { game, serverId } = subject
      const board = await aBoardOf(subject)
      const rows = await game.rankings(board, { serverId, limit: 2 })
      if (rows.length > 2) throw new Error(`${rows.length} rows instead of 2`)
      if (rows.length < 2) throw new NotObservable(`only ${rows.length} characters on this server are ranked`)
      // All of them: the first two may well be equals.
      const all = await game.rankings(board, { serverId, limit: RANKED_MAX })
      for (const [index, { value }] of all.entries()) {
        const before = all[index - 1]
        if (before && before.value < value) throw new Error(`${before.value} stands before ${value}`)
      }
      expectAnswer('the first two', rows.map(valueOf), all.slice(0, 2).map(valueOf))
    },
  },
]
