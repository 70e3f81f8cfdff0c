import type { QueryResult } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log/log.ts'
import { count } from '../metrics/metrics.ts'
import { tracedRound } from '../tracing/tracing.ts'

export type Loop = { name: string; stop(): Promise<void>; wake(): void }

/** Repeated work; `round` answers true when there may be more of it at once. */
type Job = {
  name: string
  pauseMs: number
  round: (signal: AbortSignal) => Promise<boolean | void>
}

const failing = new Map<string, unknown>()

/** The loops of this process whose last round failed, and with what. */
export const failingLoops: ReadonlyMap<string, unknown> = failing

/** The loops of this process by name: two portals in one process have each its own. */
const running = new Map<string, Set<Loop>>()

/** Lets loops of this process begin their next round now. */
export function wakeLoops(names: readonly string[]): void {
  for (const name of names) for (const loop of running.get(name) ?? []) loop.wake()
}

/** After a failure a rare loop tries again sooner than it would come round. */
const RETRY_MS_MAX = 60_000

/** A job that searches for work more often than this is traced only when it finds some, fails, or is slow. */
const OFTEN_MS = 30_000
const SLOW_MS = 1_000

export const startLoops = (log: Log, jobs: readonly Job[]): Loop[] =>
  jobs.map((job) => startLoop({ ...job, log }))

/**
 * Repeats `round`: at once while it returns true (there was work), else after `pauseMs`. A failure is logged and followed
 * by a pause, of a minute at most, never fatal. `stop` lets the running round finish; `wake` ends a pause early, or leaves out the next one.
 */
export function startLoop({ name, pauseMs, round, log }: Job & { log: Log }): Loop {
  count('portal_job_failures_total', { loop: name }, 0)
  const stopping = new AbortController()
  let waking = new AbortController()

  const isIdle = (answer: boolean | void, ms: number) => answer !== true && pauseMs < OFTEN_MS && ms < SLOW_MS

  const run = async () => {
    while (!stopping.signal.aborted) {
      waking = new AbortController()
      let hadWork = false
      try {
        hadWork = (await tracedRound(name, () => round(stopping.signal), isIdle)) === true
        failing.delete(name)
      } catch (error) {
        log.error({ err: error, loop: name }, 'a round of a loop failed')
        count('portal_job_failures_total', { loop: name })
        failing.set(name, error)
      }
      if (hadWork || stopping.signal.aborted) continue
      const pause = failing.has(name) ? Math.min(pauseMs, RETRY_MS_MAX) : pauseMs
      await sleep(pause, undefined, { signal: waking.signal }).catch(() => {})
    }
  }
  const finished = run()

  const loop: Loop = {
    name,
    wake: () => waking.abort(),
    async stop() {
      running.get(name)?.delete(loop)
      stopping.abort()
      waking.abort()
      await finished
      failing.delete(name)
    },
  }
  running.set(name, (running.get(name) ?? new Set()).add(loop))
  return loop
}

/** How many rows a cleaning job deletes in one statement. */
export const BATCH_ROWS = 1_000

/** Whether a statement changed as many rows as it may: there may be more of them. */
export const isFullBatch = ({ numAffectedRows }: QueryResult<unknown>): boolean =>
  Number(numAffectedRows) === BATCH_ROWS
