import type { RechargeOrder } from '#contract/recharge.ts'

const MINUTE_MS = 60_000

/** Minutes before the end that are announced to screen readers. */
const ANNOUNCED_MINUTES = [10, 5, 1]

/** At most the order's whole term: the server's clock comes in whole seconds, up to one second too early. */
export function timeLeft_ms(
  { created_at, expires_at }: Pick<RechargeOrder, 'created_at' | 'expires_at'>,
  now_ms: number,
): number {
  const end_ms = Date.parse(expires_at)
  return Math.max(Math.min(end_ms - now_ms, end_ms - Date.parse(created_at)), 0)
}

/** The last announced mark that was passed, in minutes; null before the first, 0 once less than a minute is left. */
export function announcedMinutes(left_ms: number): number | null {
  if (left_ms < MINUTE_MS) return 0
  return [...ANNOUNCED_MINUTES].reverse().find((minutes) => left_ms <= minutes * MINUTE_MS) ?? null
}
