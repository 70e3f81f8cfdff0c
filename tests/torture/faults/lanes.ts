import { setTimeout as sleep } from 'node:timers/promises'
import { tableOf, unfinishedRow, type Row } from '../../harness/report.ts'
import type { WorldFault } from './fault.ts'
import { runFaults, type Faults, type RunOptions } from './run.ts'
import { closeWorlds } from './world.ts'

/** What one world is started for, and the lines that come of it. */
export type Job = {
  rows: Pick<Row, 'fault' | 'name' | 'seed'>[]
  /** With start, end and verification; a lane does not wait longer for it. */
  secondsMax: number
  run(): Promise<Row[]>
}

/** A start on a busy machine, settling, and the verification. */
export const AROUND_SECONDS_MAX = 600

/** These faults beside each other in a world of their own, which are over after so many seconds. */
export const worldJob = (faults: Faults, options: RunOptions, secondsMax: number): Job => ({
  rows: Object.entries(faults).map(([fault, { name }]) => ({ fault, name, seed: options.seed })),
  secondsMax: secondsMax + AROUND_SECONDS_MAX,
  run: () => runFaults([faults], options),
})

/** What can be brought about on this machine, and a sentence about each of the others. */
export function possibleOf<One extends Pick<WorldFault, 'missing'>>(
  all: readonly (readonly [string, One])[],
) {
  const missing = all.flatMap(([id, fault]) => {
    const reason = fault.missing?.() ?? null
    return reason === null ? [] : { id, reason }
  })
  return {
    possible: all.filter(([id]) => missing.every((one) => one.id !== id)),
    skipped: missing.map(({ id, reason }) => `${id} was skipped: ${reason}`),
  }
}

const CLOSE_MS_MAX = 30_000

export type TableReport = { rows: number; unclean: string[]; skipped: string[]; isClean: boolean }

export type Running = {
  lanes: number
  /** Sentences about what this machine cannot bring about. */
  skipped: string[]
  /** Details that have a column in the table. */
  figures?: readonly string[]
}

/**
 * So many jobs at once; each line is printed as JSON as soon as it is known, and all of them as a table at the end, also
 * when the run is interrupted. A job that fails takes no other with it: its lines give the reason.
 */
export async function inLanes(
  jobs: readonly Job[],
  { lanes, skipped, figures }: Running,
): Promise<TableReport> {
  for (const line of skipped) console.log(line)
  const print = (done: readonly Row[]) => console.log(`\n${tableOf(done, figures)}`)
  const rows: Row[] = []
  const waiting = [...jobs]
  const running = new Set<Job>()
  const add = (row: Row) => {
    rows.push(row)
    console.log(JSON.stringify(row))
  }
  const interrupted = (signal: NodeJS.Signals) => {
    waiting.length = 0
    for (const job of running) {
      running.delete(job)
      for (const named of job.rows) add(unfinishedRow(named, `ended by ${signal}`))
    }
    print(rows)
    void Promise.race([closeWorlds(), sleep(CLOSE_MS_MAX)]).finally(() => process.exit(1))
  }
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)

  async function lane(): Promise<void> {
    for (let job = waiting.shift(); job; job = waiting.shift()) {
      running.add(job)
      const done = await run(job)
      // After an interruption the table is printed already.
      if (running.delete(job)) done.forEach(add)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
  // Those of jobs that were not over in time.
  await Promise.race([closeWorlds(), sleep(CLOSE_MS_MAX)])
  print(rows)
  const unclean = rows.filter(({ isClean }) => !isClean).map(({ fault, seed }) => `${fault}, seed ${seed}`)
  return { rows: rows.length, unclean, skipped, isClean: rows.length > 0 && unclean.length === 0 }
}

async function run({ rows, secondsMax, run: work }: Job): Promise<Row[]> {
  const over = new AbortController()
  const limit = sleep(secondsMax * 1_000, null, { signal: over.signal }).then(() => {
    throw new Error(`not over after ${secondsMax} s`)
  })
  limit.catch(() => {})
  try {
    return await Promise.race([work(), limit])
  } catch (error) {
    return rows.map((named) =>
      unfinishedRow(named, `could not run: ${String((error as Error).stack ?? error)}`),
    )
  } finally {
    over.abort()
  }
}
