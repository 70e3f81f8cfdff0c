/** After so long a vendor is queried about what it has not decided; then every hour. */
const FIRST_SECONDS = [60, 180, 600, 1_800]
export const FIRST_QUERIES = FIRST_SECONDS.length
/** Nothing waits for longer until it is queried again. */
export const QUERY_DELAY_SECONDS_MAX = 3_600

/** How long to wait before the next query about what was begun so long ago. */
export function queryDelaySeconds(ageSeconds: number): number {
  if (!Number.isFinite(ageSeconds)) return QUERY_DELAY_SECONDS_MAX
  const first = FIRST_SECONDS.find((each) => each > ageSeconds)
  return first === undefined
    ? QUERY_DELAY_SECONDS_MAX - (ageSeconds % QUERY_DELAY_SECONDS_MAX)
    : first - Math.max(ageSeconds, 0)
}
