const MINUTE_MS = 60_000

/** Minutes before the end at which it is said aloud; every second would be a plague. */
const ANNOUNCED_MINUTES = [10, 5, 1]

export function timeLeft_ms(expiresAt: string, now_ms: number): number {
  return Math.max(Date.parse(expiresAt) - now_ms, 0)
}

/** `29:05`. A begun second counts, so that the display reaches 00:00 exactly when time is up. */
export function clockText(left_ms: number): string {
  const seconds = Math.ceil(left_ms / 1000)
  const pad = (value: number) => String(value).padStart(2, '0')
  return `${pad(Math.floor(seconds / 60))}:${pad(seconds % 60)}`
}

/** The last announced mark that was passed, in minutes; null before the first, 0 once less than a minute is left. */
export function announcedMinutes(left_ms: number): number | null {
  if (left_ms < MINUTE_MS) return 0
  return [...ANNOUNCED_MINUTES].reverse().find((minutes) => left_ms <= minutes * MINUTE_MS) ?? null
}
