import { setTimeout as sleep } from 'node:timers/promises'
import { bankIsSlow } from './closes.errors.ts'
import { markDueDay } from './daily-close.queries.ts'
import type { Day } from './days.rules.ts'
import { pullDay, type PullReport, type ReconciliationDeps } from './pull.service.ts'

/**
 * Reads the lists of a day while somebody waits. A reading that takes longer goes on by itself; the day is due then, so
 * that it is closed with what was read. Throws CONFLICT.
 */
export async function readInTime(
  deps: ReconciliationDeps,
  { day, patienceMs }: { day: Day; patienceMs: number },
): Promise<PullReport> {
  const reading = pullDay(deps, day)
  const stopping = new AbortController()
  const tooLong = sleep(patienceMs, undefined, { signal: stopping.signal }).catch(() => undefined)
  const report = await Promise.race([reading, tooLong]).finally(() => stopping.abort())
  if (report !== undefined) return report
  reading.catch((error: unknown) => deps.log.error({ err: error, day }, 'a slow reading of a day failed'))
  await markDueDay(deps.db, day)
  throw bankIsSlow()
}
