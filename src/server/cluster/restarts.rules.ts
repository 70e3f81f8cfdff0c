/** One life of a started process. */
export type Life = {
  /** Whether it ever reported that it was ready. */
  wasReady: boolean
  seconds: number
}

export type History = {
  /** Lives in a row that ended before they were ready. */
  failedStarts: number
  /** Lives in a row that were short, ready or not. */
  shortLives: number
}

export const NO_HISTORY: History = { failedStarts: 0, shortLives: 0 }

/** A life of this length was no part of a series. */
const STEADY_SECONDS = 60
const PAUSE_MS_MIN = 500
const PAUSE_MS_MAX = 10_000
/** Together with the pauses more than a minute: a PostgreSQL that fails over is back by then. */
const FAILED_STARTS_MAX = 10

export function after({ failedStarts, shortLives }: History, { wasReady, seconds }: Life): History {
  return {
    failedStarts: wasReady ? 0 : failedStarts + 1,
    shortLives: seconds >= STEADY_SECONDS ? 1 : shortLives + 1,
  }
}

/** How long to wait until it is started again; null when that is hopeless. */
export function pauseMs({ failedStarts, shortLives }: History): number | null {
  if (failedStarts >= FAILED_STARTS_MAX) return null
  return Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 2 ** (Math.max(shortLives, 1) - 1))
}
