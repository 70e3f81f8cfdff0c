import type { PlatformDeps } from '#server/platform/deps.ts'
import type { Db } from '#server/platform/db/database.ts'
import { findUsualSeconds } from './usual-time.queries.ts'

const KEPT_MS = 300_000
/** A longer time is told to nobody: most of it is the bank's, which names days instead of moments. */
const TOLD_MAX_SECONDS = 3_600

type Kept = { at_ms: number; seconds: Promise<number | undefined> }

const keptOf = new WeakMap<Db, Kept>()

/** How long money usually takes to the wallet, in whole seconds; unknown while it cannot be said. Read every five minutes. */
export function usualSeconds({ db, clock }: Pick<PlatformDeps, 'db' | 'clock'>): Promise<number | undefined> {
  const now_ms = clock.now().getTime()
  const kept = keptOf.get(db)
  if (kept && now_ms - kept.at_ms < KEPT_MS) return kept.seconds
  // An order is shown without it where it cannot be read.
  const seconds = findUsualSeconds(db).then(told, () => undefined)
  keptOf.set(db, { at_ms: now_ms, seconds })
  return seconds
}

function told(seconds: number | null): number | undefined {
  if (seconds === null || seconds > TOLD_MAX_SECONDS) return undefined
  return Math.max(1, Math.ceil(seconds))
}
