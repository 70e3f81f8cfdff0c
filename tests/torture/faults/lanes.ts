import { setTimeout as sleep } from 'node:timers/promises'
import { unfinishedRow, type Row } from './row.ts'
import { closeWorlds } from './world.ts'

/** What one world is started for, and the lines that come of it. */
export type Job = {
  rows: Pick<Row, 'fault' | 'name' | 'seed'>[]
  /** With start, end and judgement; a lane does not wait longer for it. */
  secondsMax: number
  run(): Promise<Row[]>
}

/** A start on a busy machine, settling, and the judgement. */
export const AROUND_SECONDS_MAX = 600

const CLOSE_MS_MAX = 30_000

/**
 * So many jobs at once; each line is printed as JSON as soon as it is known, and all of them at the end, also when the
 * run is interrupted. A job that fails takes no other with it: its lines say so.
 */
export async function inLanes(
  jobs: readonly Job[],
  lanes: number,
  print: (rows: readonly Row[]) => void,
): Promise<Row[]> {
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
  return rows
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
