import { setTimeout as sleep } from 'node:timers/promises'
import { GIFT_PACKAGES } from '#contract/gift-packages.ts'
import { NO_FAULTS } from '#game-server/faults.ts'
import { noTraffic } from '../../harness/client.ts'
import { setClock } from '../../harness/faults.ts'
import { isVerified, keyOf, offending, settle, SETTLE_MS_MAX, verify } from '../../harness/verification.ts'
import { enter, takeGift, tradeUntil, type Actor, type ConfirmedAct } from '../../harness/players.ts'
import { secondsSince, seeded, sum } from '../../harness/numbers.ts'
import type { Row } from '../../harness/report.ts'
import type { FaultRun, WorldFault } from './fault.ts'
import { openWorld, type World, type WorldNeeds } from './world.ts'

const PAUSE_MS = 100
const GIFT = GIFT_PACKAGES[0]?.amount ?? 0
const COINS = 2_000_000

export type RunOptions = { seed: number; seconds: number; players: number; isShort?: true }

export type Faults = Readonly<Record<string, WorldFault>>

type Lane = FaultRun & {
  id: string
  fault: WorldFault
  detail: Record<string, number>
  notes: Record<string, number>
  wrongs: string[]
  seconds: number
  end(): void
}

/**
 * Faults in one world with load, each for so many seconds, with a client and a log of its own; a row for each. Those of one
 * stage go on beside each other, the stages one after the other.
 */
export async function runFaults(stages: readonly Faults[], options: RunOptions): Promise<Row[]> {
  const world = await openWorld(needsOf(stages.flatMap((faults) => Object.values(faults))))
  try {
    return await runIn(world, stages, options)
  } finally {
    await world.close()
  }
}

function needsOf(faults: readonly WorldFault[]): WorldNeeds {
  const all = faults.map(({ needs }) => needs)
  const outside = all.find((each) => each.outside)?.outside
  const pools = all.map(({ pool }) => pool).filter((pool) => pool !== undefined)
  return {
    clock: all.some(({ clock }) => clock),
    disk: all.some(({ disk }) => disk),
    worker: all.length > 1 || all[0]?.worker !== false,
    ...(outside ? { outside } : {}),
    ...(pools.length > 0 ? { pool: Math.min(...pools) } : {}),
  }
}

async function runIn(world: World, stages: readonly Faults[], options: RunOptions): Promise<Row[]> {
  const { seed } = options
  const random = seeded(seed)
  const actors = await Promise.all(
    Array.from({ length: options.players }, (_, player) =>
      enter(world.context, `loi${seed}x${player}`, random, COINS),
    ),
  )
  let number = 0
  const staged = stages.map((faults) =>
    Object.entries(faults).map(([id, fault]) =>
      laneOf({ id, fault, world, actors, number: number++ }, options),
    ),
  )
  const lanes = staged.flat()
  const over = new AbortController()
  const working = work(world, actors, { seed, signal: over.signal })
  // A failure between two faults is found at the next one.
  working.catch(() => {})
  const injecting = inStages(staged)
  try {
    await Promise.race([injecting, failureOf(working)])
  } finally {
    over.abort()
    // What a fault began it ends itself, before the world is closed under it.
    for (const { end } of lanes) end()
    await Promise.allSettled([injecting, working])
  }
  const recoveredAt = performance.now()
  await recover(world)
  await working
  // The worker of the world, or one that is started for this.
  await world.ownWorker()
  await settle(world.db)
  const settleSeconds = secondsSince(recoveredAt)
  const rows: Row[] = []
  // With others each has only what its own client did; alone with the load, the load is what it is about.
  for (const lane of lanes)
    rows.push(await rowOf(world, lane, { settleSeconds, isAlone: lanes.length === 1 }))
  return rows
}

async function inStages(stages: readonly (readonly Lane[])[]): Promise<void> {
  for (const lanes of stages) await Promise.all(lanes.map(during))
}

type Planned = {
  id: string
  fault: WorldFault
  world: World
  actors: readonly Actor[]
  number: number
}

function laneOf({ id, fault, world, actors, number }: Planned, options: RunOptions): Lane {
  const { seed, seconds, isShort = false } = options
  const detail: Record<string, number> = {}
  const notes: Record<string, number> = {}
  const wrongs: string[] = []
  const traffic = noTraffic()
  const client = world.clientFor(traffic)
  const confirmed: ConfirmedAct[] = []
  const over = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const lane: Lane = {
    id,
    fault,
    detail,
    notes,
    wrongs,
    seconds,
    // What it shares with the load it changes in place.
    world: { ...world, client, traffic, confirmed, context: { ...world.context, client, confirmed } },
    load: world.context,
    actors,
    seed,
    isShort,
    // Other numbers than the load's, or both would register the same telephone.
    random: seeded(seed + 31 * (number + 1)),
    signal: over.signal,
    begin() {
      if (seconds < Infinity) timer = setTimeout(() => over.abort(), seconds * 1_000)
    },
    end() {
      clearTimeout(timer)
      over.abort()
    },
    count: (what, times = 1) => void (detail[what] = (detail[what] ?? 0) + times),
    note: (what, figure) => void (notes[what] = figure),
    wrong: (what) => void wrongs.push(what),
  }
  return lane
}

async function during(lane: Lane): Promise<void> {
  const { fault, begin } = lane
  let began = 0
  const start = () => {
    began = performance.now()
    begin()
  }
  if (!fault.prepares) start()
  await fault.inject({ ...lane, begin: start })
  lane.seconds = secondsSince(began)
}

/** Rejects when the clients fail; nothing else ends their work before the faults are over. */
async function failureOf(working: Promise<void>): Promise<never> {
  await working
  throw new Error('the clients stopped before the faults were over')
}

/** Players who trade without pause until the signal. */
async function work(
  { context }: World,
  actors: readonly Actor[],
  { seed, signal }: { seed: number; signal: AbortSignal },
): Promise<void> {
  await Promise.all(actors.map((actor) => takeGift(context, actor, GIFT)))
  await tradeUntil(signal, { context, actors, seed }, (random) => sleep(random.below(2 * PAUSE_MS)))
}

async function recover(world: World): Promise<void> {
  await world.game.change(NO_FAULTS)
  world.toGame.restore()
  world.toPostgres.restore()
  if (world.clockFile !== null) await setClock(world.clockFile, 0)
}

type Ending = { settleSeconds: number; isAlone: boolean }

async function rowOf(world: World, lane: Lane, { settleSeconds, isAlone }: Ending): Promise<Row> {
  const own = lane.world
  // The load's log too: what happens to bystanders counts against the fault.
  const confirmed = [...world.confirmed, ...own.confirmed]
  const verification = await verify(world.db, confirmed, world.game.dataDir)
  const { lost = 0, doubled = 0, ...books } = verification.books
  const acknowledged = isAlone
    ? verification.acknowledged
    : own.confirmed.filter((one) => keyOf(one) !== null).length
  const injected = sum(Object.values(lane.detail))
  const wrong = [...lane.wrongs, ...new Set([...world.traffic.broken, ...own.traffic.broken])]
  if (injected === 0) wrong.push('no fault was brought about')
  if (settleSeconds > SETTLE_MS_MAX / 1_000) wrong.push('not settled in time')
  return {
    fault: lane.id,
    name: lane.fault.name,
    seed: lane.seed,
    seconds: lane.seconds,
    operations: own.traffic.definite + (isAlone ? world.traffic.definite : 0),
    acknowledged,
    injected,
    detail: {
      ...lane.detail,
      ...lane.notes,
      'requests without an answer': world.traffic.unanswered + own.traffic.unanswered,
      '503 with Retry-After': world.traffic.unavailable + own.traffic.unavailable,
    },
    settleSeconds,
    lost,
    doubled,
    books: offending(books),
    reconcile: offending(verification.reconcile),
    wrong,
    isClean: wrong.length === 0 && isVerified(verification),
  }
}
