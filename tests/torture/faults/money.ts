import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { GIFT_PACKAGES } from '#contract/gift-packages.ts'
import { anAddress } from '#tests/support/players.ts'
import { enterAll, logIn, offerTo, post, recharge, register, type Actor } from '../../harness/players.ts'
import type { Answer } from '../../harness/client.ts'
import { pause, type FaultRun, type WorldFault } from './fault.ts'

const PARALLEL = [2, 8, 64]
const PAIRS = 4
const COINS = 10_000
const FEE = 20_000

/** Names are unique in a run, whatever other faults share its world. */
const nameOf = (run: FaultRun, kind: string) => `${kind}${run.seed % 10_000}n`

const enterMany = (run: FaultRun, kind: string, count: number, coins: number): Promise<Actor[]> =>
  enterAll(run.world, { name: nameOf(run, kind), count, coins }, run.random)

type Sending = { payer: Actor; payee: Actor; amount: number; key?: string }

function send(run: FaultRun, { payer, payee, amount, key = randomUUID() }: Sending): Promise<Answer> {
  return run.world.client.untilDefinite({
    path: '/api/user/transfer',
    from: payer.address,
    token: payer.token,
    key,
    body: { payee: payee.username, amount },
  })
}

const transferred = ({ payer, payee, amount }: Sending) =>
  ({ act: 'transfer', player: payer.username, payee: payee.username, amount }) as const

/** The part of an answer that has to be equal for one key. */
const saying = ({ status, body }: Answer) =>
  JSON.stringify({ status, ...(body as object), requestId: undefined })

type AtOnce = { what: string; times: number; refusal: string }

/** So many at once, of which one alone may be done and all others refused with this code; answers those that were done. */
async function onlyOne(
  run: FaultRun,
  { what, times, refusal }: AtOnce,
  send: (number: number) => Promise<Answer>,
): Promise<Answer[]> {
  const answers = await Promise.all(Array.from({ length: times }, (_, number) => send(number)))
  const done = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ body }) => body?.code === refusal)
  run.count(`${what} ${times} times`)
  if (done.length !== 1 || refused.length !== times - 1)
    run.wrong(`${what}: ${done.length} of ${times} done, ${refused.length} refused with ${refusal}`)
  return done
}

/** T7: the whole balance sent 2, 8 and 64 times at once, each with a key of its own. */
export const doubleSpends: WorldFault = {
  name: 'the whole balance sent 2, 8 and 64 times at once',
  prepares: true,
  async inject(run) {
    const pairs = run.isShort ? 1 : PAIRS
    const players = await enterMany(run, 'haichi', 2 * pairs, FEE + COINS)
    run.begin()
    for (let round = 0; !run.signal.aborted; round++) {
      const at = 2 * (round % pairs)
      const [one, other] = players.slice(at, at + 2) as [Actor, Actor]
      const turn = Math.floor(round / pairs)
      const [payer, payee] = turn % 2 === 1 ? [other, one] : [one, other]
      // Since the first turn one of the two has everything.
      const sending = { payer, payee, amount: turn === 0 ? COINS : 2 * COINS }
      const what = {
        what: 'whole balance',
        times: run.random.pick(PARALLEL),
        refusal: 'INSUFFICIENT_BALANCE',
      }
      const done = await onlyOne(run, what, () => send(run, sending))
      run.world.confirmed.push(...done.map(() => transferred(sending)))
    }
  },
}

/** T8: one key 64 times at once, then with another body. */
export const sameKeys: WorldFault = {
  name: 'one key 64 times at once, then with another body',
  prepares: true,
  async inject(run) {
    const { signal, random, count, wrong, world } = run
    const players = await enterMany(run, 'motkhoa', run.isShort ? 2 : 8, 2_000_000)
    run.begin()
    for (let round = 0; !signal.aborted; round++) {
      const payer = players[round % players.length] as Actor
      const payee = players[(round + 1) % players.length] as Actor
      const sending = { payer, payee, amount: 1 + random.below(900), key: randomUUID() }
      const answers = await Promise.all(Array.from({ length: 64 }, () => send(run, sending)))
      count('one key 64 times')
      if (answers[0]?.status !== 200 || new Set(answers.map(saying)).size !== 1) {
        wrong(`one key got different answers: ${[...new Set(answers.map(saying))].slice(0, 3).join(' | ')}`)
      }
      world.confirmed.push(transferred(sending))
      const other = await send(run, { ...sending, amount: sending.amount + 1 })
      count('another body')
      if (other.status !== 422 || other.body?.code !== 'KEY_REUSED') {
        wrong(`a key with another body got ${other.status} ${other.body?.code}`)
      }
    }
  },
}

const CLIENTS = 32
const CLIENTS_SHORT = 6
const RING_MAX = 10

/** T9: rings of 2 to 10 players who send to each other at once, beside purchases that meet at the portal's accounts. */
export const rings: WorldFault = {
  name: 'A to B with B to A, rings of up to 10, the portal’s accounts hot, 32 clients',
  prepares: true,
  async inject(run) {
    const { signal, random, count, wrong } = run
    const players = await enterMany(run, 'vong', run.isShort ? CLIENTS_SHORT : CLIENTS, 500_000)
    run.begin()
    const before = await deadlocksOf(run)
    while (!signal.aborted) {
      const waiting = [...players]
      const rounds: Promise<void>[] = []
      while (waiting.length > 1) {
        const ring = waiting.splice(0, Math.min(waiting.length, 2 + random.below(RING_MAX - 1)))
        if (ring.length < 2) break
        rounds.push(...ring.map((payer, at) => oneOfRing(run, payer, ring[(at + 1) % ring.length] as Actor)))
        count('ring')
      }
      await Promise.all(rounds)
      players.push(...players.splice(0, 1 + random.below(5)))
      await pause(signal, 20)
    }
    const deadlocks = (await deadlocksOf(run)) - before
    if (deadlocks > 0) wrong(`${deadlocks} deadlocks`)
  },
}

async function oneOfRing(run: FaultRun, payer: Actor, payee: Actor): Promise<void> {
  const sending = { payer, payee, amount: 1 + run.random.below(500) }
  const { status, body } = await send(run, sending)
  if (status === 200) run.world.confirmed.push(transferred(sending))
  else if (body?.code !== 'INSUFFICIENT_BALANCE' && body?.code !== 'LIMIT_EXCEEDED')
    run.wrong(`a transfer was refused: ${status} ${body?.code}`)
}

async function deadlocksOf({ world }: FaultRun): Promise<number> {
  await sql`SELECT pg_stat_clear_snapshot()`.execute(world.db)
  const { rows } = await sql<{ deadlocks: string }>`
    SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`.execute(world.db)
  return Number(rows[0]?.deadlocks)
}

/** T10: activation and first gift 64 times at once, from two sessions of one player. */
export const firstTimes: WorldFault = {
  name: 'activation and first gift 64 times at once from two sessions',
  async inject(run) {
    for (let round = 0; !run.signal.aborted; round++) await oneNewcomer(run, round)
  },
}

async function oneNewcomer(run: FaultRun, round: number): Promise<void> {
  const { client, confirmed } = run.world
  const newcomer = await register(run.world, `${nameOf(run, 'landau')}${round}`, run.random)
  await recharge(run.world, newcomer, FEE + 200_000)
  const login = await logIn(client, newcomer)
  const tokens = [newcomer.token, login.body?.access_token as string]
  const once = (path: string, refusal: string, body?: object) =>
    onlyOne(run, { what: path, times: 64, refusal }, (number) =>
      post(client, { address: anAddress(), token: tokens[number % 2] as string }, path, body),
    )
  const player = newcomer.username
  for (const _ of await once('/api/user/active', 'ALREADY_ACTIVATED'))
    confirmed.push({ act: 'activation', player, amount: FEE })
  const { characters } = await offerTo(client, newcomer.address, newcomer.token)
  const amount = GIFT_PACKAGES[0]?.amount ?? 0
  const gift = { character_id: characters[0]?.id, package_id: amount }
  for (const { body } of await once('/api/user/buy-package', 'GIFT_ALREADY_TAKEN', gift))
    confirmed.push({ act: 'gift', player, amount, deliveryId: body.delivery.id })
}
