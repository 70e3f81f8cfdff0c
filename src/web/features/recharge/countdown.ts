import type { RechargeOrder } from '#contract/recharge.ts'

const MINUTE_MS = 60_000

/** Minutes before the end at which screen readers are told; every second would be unbearable. */
const ANNOUNCED_MINUTES = [10, 5, 1]

/** At most the order's whole term: the server's clock comes in whole seconds, up to one second too early. */
export function timeLeft_ms(
  { created_at, expires_at }: Pick<RechargeOrder, 'created_at' | 'expires_at'>,
  now_ms: number,
): number {
  const end_ms = Date.parse(expires_at)
  return Math.max(Math.min(end_ms - now_ms, end_ms - Date.parse(created_at)), 0)
}

/** `29:05`. Seconds are rounded up, so that the display reaches 00:00 exactly when time is up. */
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
