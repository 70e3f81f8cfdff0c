import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { GIFT_PACKAGES } from '#contract/gift-packages.ts'
import { anAddress } from '#tests/support/players.ts'
import { enter, logIn, offerTo, post, recharge, register, type Actor } from '../../harness/players.ts'
import type { Answer } from '../../harness/client.ts'
import { pause, type FaultRun, type WorldFault } from './fault.ts'

const PARALLEL = [2, 8, 64]
const PAIRS = 4
const COINS = 30_000
const FEE = 20_000

/** Names are unique in a run, whatever other faults share its world. */
const nameOf = (run: FaultRun, kind: string, number: number) => `${kind}${run.seed % 10_000}n${number}`

async function enterAll(run: FaultRun, kind: string, count: number, coins = COINS): Promise<Actor[]> {
  const { context } = run.world
  return Promise.all(
    Array.from({ length: count }, (_, number) =>
      enter(context, nameOf(run, kind, number), run.random, coins),
    ),
  )
}

type Sending = { payer: Actor; payee: Actor; amount: number; key?: string; token?: string }

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

/** T7: the whole balance sent 2, 8 and 64 times at once, each with a key of its own. */
export const doubleSpends: WorldFault = {
  name: 'the whole balance sent 2, 8 and 64 times at once',
  needs: {},
  prepares: true,
  async inject(run) {
    const { signal, random, count, wrong, world } = run
    const pairs = run.isShort ? 1 : PAIRS
    const players = await enterAll(run, 'haichi', 2 * pairs)
    run.begin()
    for (let round = 0; !signal.aborted; round++) {
      const at = 2 * (round % pairs)
      const [one, other] = players.slice(at, at + 2) as [Actor, Actor]
      const isBack = Math.floor(round / pairs) % 2 === 1
      const [payer, payee] = isBack ? [other, one] : [one, other]
      const amount = await balanceOf(run, payer)
      const times = random.pick(PARALLEL)
      const sending = { payer, payee, amount }
      const answers = await Promise.all(Array.from({ length: times }, () => send(run, sending)))
      count(`${times} at once`)
      const done = answers.filter(({ status }) => status === 200).length
      const refused = answers.filter(({ body }) => body?.code === 'INSUFFICIENT_BALANCE').length
      for (let left = done; left > 0; left--) world.confirmed.push(transferred(sending))
      if (done !== 1 || refused !== times - 1) {
        wrong(`${done} of ${times} sent the whole balance, ${refused} were refused`)
      }
    }
  },
}

async function balanceOf(run: FaultRun, { username }: Actor): Promise<number> {
  const { balance } = await run.world.db
    .selectFrom('users')
    .innerJoin('ledger_account', 'ledger_account.id', 'users.wallet_account_id')
    .select('ledger_account.balance')
    .where('users.username', '=', username)
    .executeTakeFirstOrThrow()
  return Number(balance)
}

/** T8: one key 64 times at once, then with another body. */
export const sameKeys: WorldFault = {
  name: 'one key 64 times at once, then with another body',
  needs: {},
  prepares: true,
  async inject(run) {
    const { signal, random, count, wrong, world } = run
    const players = await enterAll(run, 'motkhoa', run.isShort ? 2 : 8, 2_000_000)
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
  needs: {},
  prepares: true,
  async inject(run) {
    const { signal, random, count, wrong } = run
    const players = await enterAll(run, 'vong', run.isShort ? CLIENTS_SHORT : CLIENTS, 500_000)
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
  needs: {},
  async inject(run) {
    for (let round = 0; !run.signal.aborted; round++) await oneNewcomer(run, round)
  },
}

async function oneNewcomer(run: FaultRun, round: number): Promise<void> {
  const { world, random, count, wrong } = run
  const { context, client, confirmed } = world
  const newcomer = await register(context, nameOf(run, 'landau', round), random)
  await recharge(context, newcomer, FEE + 200_000)
  const login = await logIn(client, newcomer)
  const tokens = [newcomer.token, login.body?.access_token as string]
  const once = async (path: string, body: object | undefined, refusal: string): Promise<Answer | null> => {
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, at) =>
        post(client, { address: anAddress(), token: tokens[at % 2] as string }, path, body),
      ),
    )
    const done = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ body: reply }) => reply?.code === refusal)
    count(`${path} 64 times`)
    if (done.length !== 1 || refused.length !== 63) {
      wrong(`${path}: ${done.length} done, ${refused.length} refused with ${refusal}`)
    }
    return done[0] ?? null
  }
  const player = newcomer.username
  if (await once('/api/user/active', undefined, 'ALREADY_ACTIVATED')) {
    confirmed.push({ act: 'activation', player, amount: FEE })
  }
  const { characters } = await offerTo(client, newcomer.address, newcomer.token)
  const amount = GIFT_PACKAGES[0]?.amount ?? 0
  const gift = { character_id: characters[0]?.id, package_id: amount }
  const given = await once('/api/user/buy-package', gift, 'GIFT_ALREADY_TAKEN')
  if (given) confirmed.push({ act: 'gift', player, amount, deliveryId: given.body.delivery.id })
}
