const FIRST_DELAYS_SECONDS = [1, 3, 10, 30, 60]
export const ASK_DELAY_SECONDS_MAX = 3_600

/**
 * Until the next question after so many: players who are in the game have their goods within seconds, the others may come
 * in days. The first delay, from the settlement on, is the table's default.
 */
export function askDelaySeconds(asks: number): number {
  const beyond = asks - FIRST_DELAYS_SECONDS.length + 1
  const [last = 0] = FIRST_DELAYS_SECONDS.slice(-1)
  return FIRST_DELAYS_SECONDS[asks] ?? Math.min(ASK_DELAY_SECONDS_MAX, last * 2 ** Math.min(beyond, 10))
}
