import { setTimeout as sleep } from 'node:timers/promises'
import { GIFT_PACKAGES } from '#contract/gift-packages.ts'
import { NO_FAULTS } from '#game-server/faults.ts'
import { noTraffic } from '../../harness/client.ts'
import { setClock } from '../../harness/faults.ts'
import { isVerified, keyOf, settle, SETTLE_MS_MAX, verify } from '../../harness/verification.ts'
import { enterAll, takeGift, tradeUntil, type Actor } from '../../harness/players.ts'
import { secondsSince, seeded, sum } from '../../harness/numbers.ts'
import type { Row } from '../../harness/report.ts'
import { columnsOf, type FaultRun, type WorldFault } from './fault.ts'
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
  /** By `performance.now()`; 0 until then. */
  began: number
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
  const needs: WorldNeeds = Object.assign({}, ...faults.map((fault) => fault.needs))
  // The others need a worker, whatever workers one of them brings.
  return faults.length > 1 ? { ...needs, worker: true } : needs
}

async function runIn(world: World, stages: readonly Faults[], options: RunOptions): Promise<Row[]> {
  const { seed } = options
  const traders = { name: `loi${seed}x`, count: options.players, coins: COINS }
  const actors = await enterAll(world, traders, seeded(seed))
  const lanes: Lane[] = []
  const staged = stages.map((faults) =>
    Object.entries(faults).map(([id, fault]) => {
      const lane = laneOf(world, { ...options, id, fault, actors, number: lanes.length + 1 })
      lanes.push(lane)
      return lane
    }),
  )
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
  const msMax = Math.max(...lanes.map(({ fault }) => fault.settleMsMax ?? SETTLE_MS_MAX))
  await settle(world.db, msMax)
  const settleSeconds = secondsSince(recoveredAt)
  const rows: Row[] = []
  for (const lane of lanes) {
    if (settleSeconds > msMax / 1_000) lane.wrong('not settled in time')
    // With others each has only what its own client did; alone with the load, the load is what it is about.
    rows.push(await rowOf(world, lane, { settleSeconds, isAlone: lanes.length === 1 }))
  }
  return rows
}

async function inStages(stages: readonly (readonly Lane[])[]): Promise<void> {
  for (const lanes of stages) await Promise.all(lanes.map(during))
}

type Planned = RunOptions & { id: string; fault: WorldFault; actors: readonly Actor[]; number: number }

function laneOf(world: World, { id, fault, actors, number, ...options }: Planned): Lane {
  const { seed, seconds, isShort = false } = options
  const traffic = noTraffic()
  const over = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const lane: Lane = {
    id,
    fault,
    detail: {},
    notes: {},
    wrongs: [],
    began: 0,
    seconds,
    // What it shares with the load it changes in place.
    world: { ...world, client: world.clientFor(traffic), traffic, confirmed: [] },
    load: world,
    actors,
    seed,
    isShort,
    // Other numbers than the load's, or both would register the same telephone.
    random: seeded(seed + 31 * number),
    signal: over.signal,
    begin() {
      if (lane.began > 0) return
      lane.began = performance.now()
      if (seconds < Infinity) timer = setTimeout(() => over.abort(), seconds * 1_000)
    },
    end() {
      clearTimeout(timer)
      over.abort()
    },
    count: (what, times = 1) => void (lane.detail[what] = (lane.detail[what] ?? 0) + times),
    note: (what, figure) => void (lane.notes[what] = figure),
    wrong: (what) => void lane.wrongs.push(what),
  }
  return lane
}

async function during(lane: Lane): Promise<void> {
  if (!lane.fault.prepares) lane.begin()
  await lane.fault.inject(lane)
  lane.seconds = secondsSince(lane.began)
}

/** Rejects when the clients fail; nothing else ends their work before the faults are over. */
async function failureOf(working: Promise<void>): Promise<never> {
  await working
  throw new Error('the clients stopped before the faults were over')
}

/** Players who trade without pause until the signal. */
async function work(
  context: World,
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
  const acknowledged = isAlone
    ? verification.acknowledged
    : own.confirmed.filter((one) => keyOf(one) !== null).length
  const injected = sum(Object.values(lane.detail))
  const wrong = [...lane.wrongs, ...new Set([...world.traffic.broken, ...own.traffic.broken])]
  if (injected === 0) wrong.push('no fault was brought about')
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
    ...columnsOf(verification),
    wrong,
    isClean: wrong.length === 0 && isVerified(verification),
  }
}
