import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openAppRole } from '#server/platform/db/app-role.ts'
import { openDatabase, type Db } from '#server/platform/db/database.ts'
import { openEmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import { openLog } from '#server/platform/log/log.ts'
import { startGameProcess } from '#tests/support/game-process.ts'
import { emptyClientLog, gather, work, type ClientLog } from './clients.ts'
import type { Door } from './doors.ts'
import { openPlace, type Place } from './fleet.ts'
import { judgeDrill, waitUntilSettled, type Kill, type Phase, type Verdict } from './verdict.ts'

type ProgramName = 'old' | 'new'

/** Load as it is, or one process replaced by one of that program. */
export type Step =
  | { steady: string }
  | { replace: 'web 1' | 'web 2' | 'worker'; by: ProgramName; after?: 'SIGKILL' }

const allTo = (by: ProgramName): Step[] => [
  { replace: 'web 1', by },
  { replace: 'web 2', by },
  { replace: 'worker', by },
]

/** To the new program, back to the old one on the new schema, and to the new one again with a kill -9 on the way. */
export const WHOLE_DRILL: readonly Step[] = [
  { steady: 'old program' },
  ...allTo('new'),
  { steady: 'new program' },
  ...allTo('old'),
  { steady: 'old program, new schema' },
  { replace: 'web 1', by: 'new' },
  { replace: 'web 2', by: 'new', after: 'SIGKILL' },
  { replace: 'worker', by: 'new' },
  { steady: 'new program again' },
]

export type DrillOptions = {
  steps: readonly Step[]
  seed: number
  players: number
  /** How long the load goes on without a restart where the steps say so. */
  steadyMs: number
  stopDelaySeconds: number
  /** Folders of the two programs. */
  old: string
  new: string
  openDoor(webPorts: readonly number[]): Promise<Door & { publicUrl?: string }>
  /** The owner's connection string of a database; an embedded PostgreSQL when left out. */
  databaseUrl?: string
  say(line: string): void
}

const SECRET = 'game-secret-of-the-drill'
const SEPAY_SECRET = 'sepay-secret-of-the-drill'

type Ends = (() => Promise<unknown>)[]

type Drill = {
  options: DrillOptions
  webs: [Place, Place]
  worker: Place
  door: Door
  db: Db
  gameDir: string
  phases: Phase[]
  kills: Kill[]
}

/** The steps of docs/runbooks/upgrade.md under load. The first process of the new program migrates. */
export async function drill(options: DrillOptions): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-upgrade-'))
  const ends: Ends = [() => rm(folder, { recursive: true, force: true, maxRetries: 5 })]
  try {
    return await run(await open(options, folder, ends))
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

async function open(options: DrillOptions, folder: string, ends: Ends): Promise<Drill> {
  const ownerUrl = options.databaseUrl ?? (await ownPostgres(folder, ends))
  const gameDir = join(folder, 'game')
  const game = await startGameProcess({ secret: SECRET, dataDir: gameDir })
  ends.push(() => game.end())
  const fleet = { dataDir: folder, environment: {} as Record<string, string> }
  const webs: Drill['webs'] = [await openPlace('web', fleet), await openPlace('web', fleet)]
  const worker = await openPlace('worker', fleet)
  const door = await options.openDoor(webs.map(({ port }) => port))
  ends.push(() => door.close())
  Object.assign(fleet.environment, {
    DATABASE_URL: ownerUrl,
    DEMO: '1',
    DEMO_PUBLIC: '1',
    GAME_SERVER_URL: game.url,
    GAME_SERVER_SECRET: SECRET,
    SEPAY_WEBHOOK_SECRET: SEPAY_SECRET,
    TRUST_PROXY: '127.0.0.1',
    STOP_DELAY: String(options.stopDelaySeconds),
    LOG_LEVEL: 'warn',
    ...(door.publicUrl === undefined ? {} : { PUBLIC_URL: door.publicUrl }),
  })
  for (const place of [...webs, worker]) ends.push(() => place.stop())
  await webs[0].start(options.old)
  await Promise.all([webs[1], worker].map((place) => place.start(options.old)))
  const appUrl = await openAppRole(ownerUrl, openLog('fatal'))
  const db = openDatabase({ url: appUrl, log: openLog('fatal'), connectionsMax: 2 })
  ends.push(() => db.destroy())
  return { options, webs, worker, door, db, gameDir, phases: [], kills: [] }
}

async function ownPostgres(folder: string, ends: Ends): Promise<string> {
  const postgres = await openEmbeddedPostgres({ dataDir: folder, log: () => {} })
  ends.push(() => postgres.stop())
  return postgres.url
}

async function run(running: Drill): Promise<Verdict> {
  const { options, door, db } = running
  const { seed, players } = options
  const log = emptyClientLog()
  const crowd = await gather(door, log, { seed, players, sepaySecret: SEPAY_SECRET })
  const over = new AbortController()
  const working = work({ crowd, door, log, seed, signal: over.signal })
  try {
    await Promise.race([roll(running, log), failureOf(working)])
  } finally {
    over.abort()
  }
  await working
  await waitUntilSettled(db)
  const { gameDir, phases, kills } = running
  return judgeDrill({ db, gameDir, log, phases, kills, trace: door.trace })
}

/** Rejects when the work fails; nothing else ends it before the rolls are done. */
async function failureOf(working: Promise<void>): Promise<never> {
  await working
  throw new Error('the clients stopped before the drill was over')
}

const ASKED_MS_MAX = 30_000

/** A phase without a request would prove nothing, and on a busy machine the first one takes longer than a short phase. */
async function untilAsked({ startedAt }: Phase, log: ClientLog): Promise<void> {
  for (const last = Date.now() + ASKED_MS_MAX; Date.now() < last; await sleep(20)) {
    const now = Date.now()
    if (log.attempts.some(({ endedAt }) => endedAt >= startedAt && endedAt < now)) return
  }
}

async function roll(running: Drill, log: ClientLog): Promise<void> {
  const { options, webs, worker, door, kills } = running
  const places = { 'web 1': webs[0], 'web 2': webs[1], worker }
  for (const step of options.steps) {
    if ('steady' in step) {
      const phase = begin(running, step.steady)
      await sleep(options.steadyMs)
      await untilAsked(phase, log)
      continue
    }
    // Step 4 of the runbook for one process.
    begin(running, `${step.replace} ${step.after ?? 'SIGTERM'}, then ${step.by} program`)
    const place = places[step.replace]
    if (step.after === undefined) await place.stop()
    else kills.push(await place.kill())
    await place.start(options[step.by])
    if (place.kind === 'web') await sleep(door.pauseMs)
  }
}

function begin({ phases, options }: Drill, name: string): Phase {
  const phase = { name, startedAt: Date.now() }
  phases.push(phase)
  options.say(name)
  return phase
}
