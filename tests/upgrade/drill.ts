import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#server/platform/db/database.ts'
import { type LoadReport, type Phase, settle, verifyLoad } from '../harness/verification.ts'
import type { Balancer } from '../harness/balancer.ts'
import {
  DEMO_ENVIRONMENT,
  newFolder,
  openFleet,
  openRunDatabase,
  startGame,
  startPostgres,
  type Cleanup,
  type Fleet,
  type Slot,
} from '../harness/fleet.ts'
import { underLoad, type ClientLog } from '../harness/load.ts'

type ProgramName = 'old' | 'new'

/** Load as it is, or one process replaced by one of that program. */
export type Step =
  | { steady: string }
  | { replace: 'web 1' | 'web 2' | 'worker'; by: ProgramName; after?: 'SIGKILL' }

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
  openBalancer(webPorts: readonly number[]): Promise<Balancer & { publicUrl?: string }>
  /** The owner's connection string of a database; an embedded PostgreSQL when left out. */
  databaseUrl?: string
  say(line: string): void
}

type Drill = {
  options: DrillOptions
  fleet: Fleet
  balancer: Balancer
  db: Db
  gameDir: string
  phases: Phase[]
}

/** The steps of docs/runbooks/upgrade.md under load. The first process of the new program migrates. */
export async function drill(options: DrillOptions): Promise<LoadReport> {
  await using cleanup = new AsyncDisposableStack()
  return await run(await open(options, cleanup))
}

async function open(options: DrillOptions, cleanup: Cleanup): Promise<Drill> {
  const folder = await newFolder(cleanup, 'upgrade')
  const ownerUrl = options.databaseUrl ?? (await startPostgres(cleanup, folder))
  const game = await startGame(cleanup, join(folder, 'game'))
  const environment: Record<string, string> = {}
  const fleet = await openFleet(cleanup, { dataDir: folder, environment }, { webs: 2, workers: 1 })
  const balancer = await options.openBalancer(fleet.webs.map(({ port }) => port))
  cleanup.defer(() => balancer.close())
  Object.assign(environment, {
    ...DEMO_ENVIRONMENT,
    ...game.environment,
    DATABASE_URL: ownerUrl,
    STOP_DELAY: String(options.stopDelaySeconds),
    LOG_LEVEL: 'warn',
    ...(balancer.publicUrl === undefined ? {} : { PUBLIC_URL: balancer.publicUrl }),
  })
  await fleet.start(options.old)
  const db = await openRunDatabase(cleanup, ownerUrl)
  return { options, fleet, balancer, db, gameDir: game.dataDir, phases: [] }
}

async function run(running: Drill): Promise<LoadReport> {
  const { options, balancer, db, gameDir, phases } = running
  const { log } = await underLoad({ balancer, ...options }, (confirmed) => roll(running, confirmed))
  const settleSeconds = await settle(db)
  return verifyLoad({ db, gameDir, log, phases, settleSeconds, isStrict: true, trace: balancer.trace })
}

const REQUEST_MS_MAX = 30_000

/** A phase without a request would prove nothing, and on a busy machine the first one takes longer than a short phase. */
async function untilRequested({ startedAt }: Phase, log: ClientLog): Promise<void> {
  for (const last = Date.now() + REQUEST_MS_MAX; Date.now() < last; await sleep(20)) {
    const now = Date.now()
    if (log.attempts.some(({ endedAt }) => endedAt >= startedAt && endedAt < now)) return
  }
}

async function roll(running: Drill, log: ClientLog): Promise<void> {
  const { options, fleet, balancer } = running
  const [web1, web2, worker] = [...fleet.webs, ...fleet.workers] as [Slot, Slot, Slot]
  const slots = { 'web 1': web1, 'web 2': web2, worker }
  for (const step of options.steps) {
    if ('steady' in step) {
      const phase = begin(running, step.steady)
      await sleep(options.steadyMs)
      await untilRequested(phase, log)
      continue
    }
    // Step 5 of the runbook for one process.
    const phase = begin(running, `${step.replace} ${step.after ?? 'SIGTERM'}, then ${step.by} program`)
    const slot = slots[step.replace]
    if (step.after === undefined) await slot.stop()
    else {
      const { port, from, to } = await slot.kill()
      phase.away = { what: 'process', via: port, from, to }
    }
    await slot.start(options[step.by])
    phase.backAt = Date.now()
    if (slot.kind === 'web') await sleep(balancer.pauseMs)
  }
}

function begin({ phases, options }: Drill, name: string): Phase {
  const phase: Phase = { name, startedAt: Date.now() }
  phases.push(phase)
  options.say(name)
  return phase
}
