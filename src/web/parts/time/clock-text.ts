/** `03:12:09`; seconds are rounded up, so that it reaches zero exactly when time is up. */
export function clockText(left_ms: number): string {
  const seconds = Math.ceil(left_ms / 1_000)
  return [seconds / 3_600, (seconds / 60) % 60, seconds % 60].map(twoDigits).join(':')
}

/** The same without hours: `29:05`. */
export function minutesText(left_ms: number): string {
  const seconds = Math.ceil(left_ms / 1_000)
  return [seconds / 60, seconds % 60].map(twoDigits).join(':')
}

const twoDigits = (part: number) => String(Math.floor(part)).padStart(2, '0')
