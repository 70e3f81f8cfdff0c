import { setTimeout as sleep } from 'node:timers/promises'
import { GIFT_PACKAGES } from '#contract/gift-packages.ts'
import { NO_FAULTS } from '#game-server/faults.ts'
import { reconcile } from '#server/modules/wallet/index.ts'
import { act, enter, takeGift, type Actor } from '../actors.ts'
import { judgeGame } from '../deliveries/verdict.ts'
import { judgeBooks } from '../judge.ts'
import { seeded } from '../random.ts'
import { setClock } from './clock-file.ts'
import type { FaultRun, WorldFault } from './fault.ts'
import { openWorld, type World, type WorldNeeds } from './world.ts'

/** One line of the table. */
export type Row = {
  fault: string
  name: string
  seed: number
  /** For how long the fault was on. */
  seconds: number
  /** Acts with a definite answer, refusals among them. */
  operations: number
  acknowledged: number
  /** How often the fault was brought about; what in detail, and what clients met. */
  injected: number
  detail: Record<string, number>
  /** From the end of the faults until everything is settled. */
  settleSeconds: number
  lost: number
  doubled: number
  /** Everything else that has to be zero. */
  books: Record<string, number>
  reconcile: Record<string, number>
  wrong: string[]
  isClean: boolean
}

export const SETTLE_MS_MAX = 120_000
const PAUSE_MS = 100
const GIFT = GIFT_PACKAGES[0]?.amount ?? 0
const COINS = 2_000_000

export type RunOptions = { seed: number; seconds: number; players: number }

/** The faults one after the other in one world with load, each for so many seconds; then all of it is judged at once. */
export async function runFaults(
  faults: Readonly<Record<string, WorldFault>>,
  options: RunOptions,
): Promise<Row> {
  const world = await openWorld(needsOf(Object.values(faults)))
  try {
    return await runIn(world, faults, options)
  } finally {
    await world.close()
  }
}

function needsOf(faults: readonly WorldFault[]): WorldNeeds {
  const all = faults.map(({ needs }) => needs)
  const pools = all.map(({ pool }) => pool).filter((pool) => pool !== undefined)
  return {
    clock: all.some(({ clock }) => clock),
    disk: all.some(({ disk }) => disk),
    worker: all.length > 1 || all[0]?.worker !== false,
    ...(pools.length > 0 ? { pool: Math.min(...pools) } : {}),
  }
}

async function runIn(
  world: World,
  faults: Readonly<Record<string, WorldFault>>,
  { seed, seconds, players }: RunOptions,
): Promise<Row> {
  const random = seeded(seed)
  const actors: Actor[] = []
  for (let player = 0; player < players; player++) {
    actors.push(await enter(world.context, `loi${seed}x${player}`, random, COINS))
  }
  const detail: Record<string, number> = {}
  const wrong: string[] = []
  const over = new AbortController()
  const working = work(world, actors, { seed, signal: over.signal })
  // A failure between two faults is seen at the next one.
  working.catch(() => {})
  const faultTime = { ms: 0 }
  try {
    for (const fault of Object.values(faults)) {
      const run = {
        world,
        actors,
        seed,
        random,
        count: counter(detail),
        wrong: (text: string) => void wrong.push(text),
      }
      faultTime.ms += await Promise.race([during(fault, run, seconds), failureOf(working)])
    }
  } finally {
    over.abort()
  }
  const healed = performance.now()
  await heal(world)
  await working
  await settle(world)
  const settleSeconds = secondsSince(healed)
  return judge(world, {
    fault: Object.keys(faults).join(' '),
    name: Object.values(faults)
      .map(({ name }) => name)
      .join('; '),
    seed,
    seconds: Math.round(faultTime.ms / 100) / 10,
    injected: Object.values(detail).reduce((all, times) => all + times, 0),
    detail,
    settleSeconds,
    wrong,
  })
}

const counter =
  (detail: Record<string, number>) =>
  (what: string, times = 1) => {
    detail[what] = (detail[what] ?? 0) + times
  }

/** Rejects when the clients fail; nothing else ends their work before the faults are over. */
async function failureOf(working: Promise<void>): Promise<never> {
  await working
  throw new Error('the clients stopped before the faults were over')
}

/** Answers for how many milliseconds the fault was on. */
async function during(
  fault: WorldFault,
  run: Omit<FaultRun, 'signal' | 'begin'>,
  seconds: number,
): Promise<number> {
  const over = new AbortController()
  let began = 0
  let timer: NodeJS.Timeout | undefined
  const begin = () => {
    began = performance.now()
    timer = setTimeout(() => over.abort(), seconds * 1_000)
  }
  if (!fault.prepares) begin()
  try {
    await fault.inject({ ...run, begin, signal: over.signal })
    return performance.now() - began
  } finally {
    clearTimeout(timer)
  }
}

/** Players who trade without pause until the signal. */
async function work(
  { context }: World,
  actors: readonly Actor[],
  { seed, signal }: { seed: number; signal: AbortSignal },
): Promise<void> {
  await Promise.all(
    actors.map(async (actor, index) => {
      const random = seeded(seed * 1_000 + index)
      if (!signal.aborted) await takeGift(context, actor, GIFT)
      while (!signal.aborted) {
        await act(context, actors, actor, random)
        await sleep(random.below(2 * PAUSE_MS))
      }
    }),
  )
}

async function heal(world: World): Promise<void> {
  await world.game.change(NO_FAULTS)
  world.toGame.heal()
  world.toPostgres.heal()
  if (world.clockFile !== null) await setClock(world.clockFile, 0)
}

/** Nothing is on its way any more; the worker of the world, or one that is started for this, ends it. */
async function settle(world: World): Promise<void> {
  const deadline = Date.now() + SETTLE_MS_MAX
  await world.ownWorker()
  while (Date.now() < deadline && (await countOpen(world)) > 0) await sleep(200)
}

async function countOpen({ db }: World): Promise<number> {
  const open = await db
    .selectFrom('delivery')
    .select('id')
    .where('state', 'not in', ['delivered', 'refunded'])
    .limit(1)
    .execute()
  const undecided = await db
    .selectFrom('payment_event')
    .select('id')
    .where('status', '=', 'new')
    .limit(1)
    .execute()
  return open.length + undecided.length
}

export const secondsSince = (began: number) => Math.round((performance.now() - began) / 100) / 10

type Found = Pick<
  Row,
  'fault' | 'name' | 'seed' | 'seconds' | 'injected' | 'detail' | 'settleSeconds' | 'wrong'
>

async function judge(world: World, found: Found): Promise<Row> {
  const { db, seen, gameDir, traffic } = world
  const { acknowledged, lost, doubled, refunded, ...ledger } = await judgeBooks(db, seen)
  const books = { ...ledger, ...(await judgeGame(db, { gameDir, seen, refunded })) }
  const rows = await reconcile(db)
  const wrong = [...found.wrong, ...new Set(traffic.broken)]
  if (found.injected === 0) wrong.push('no fault was brought about')
  if (found.settleSeconds > SETTLE_MS_MAX / 1_000) wrong.push('not settled in time')
  const counts = [lost, doubled, ...Object.values(books), ...rows.map(({ count }) => count)]
  return {
    ...found,
    wrong,
    operations: traffic.definite,
    acknowledged,
    lost,
    doubled,
    books: offending(books),
    reconcile: offending(Object.fromEntries(rows.map(({ check, count }) => [check, count]))),
    detail: {
      ...found.detail,
      'requests without an answer': traffic.unanswered,
      '503 with Retry-After': traffic.unavailable,
    },
    isClean: wrong.length === 0 && acknowledged > 0 && counts.every((count) => count === 0),
  }
}

/** What is not zero. */
export const offending = (counts: Record<string, number>) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0))
