export const VISITS_STORAGE_KEY = 'visits'

/** What is kept of visits on this device. */
export type Visits = { count: number; last_ms: number; aside_ms: number }

/** Pages opened within it belong to one visit. */
const VISIT_GAP_MS = 30 * 60_000
const VISITS_MIN = 2
const ASIDE_MS = 90 * 86_400_000

export function withVisit(known: Partial<Visits>, now_ms: number): Visits {
  const { count = 0, last_ms = 0, aside_ms = 0 } = known
  return { count: now_ms - last_ms > VISIT_GAP_MS ? count + 1 : count, last_ms: now_ms, aside_ms }
}

/** Never on a first visit, and not for a long time after it was put aside. */
export const mayHint = ({ count, aside_ms }: Visits, now_ms: number): boolean =>
  count >= VISITS_MIN && now_ms - aside_ms > ASIDE_MS
