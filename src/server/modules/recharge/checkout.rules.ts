const MINUTE_MS = 60_000
/** After this many minutes MoMo is asked about an order nobody has paid yet; then every hour for a day. */
const FIRST_MINUTES = [1, 3, 10, 30]
const LAST_MINUTES = 24 * 60

/** When to ask about an order next; null when a day has gone by. */
export function nextQueryAt(createdAt: Date, now: Date): Date | null {
  const minutesGone = (now.getTime() - createdAt.getTime()) / MINUTE_MS
  const soon = FIRST_MINUTES.find((minutes) => minutes > minutesGone)
  const minutes = soon ?? (Math.floor(minutesGone / 60) + 1) * 60
  return minutes > LAST_MINUTES ? null : new Date(createdAt.getTime() + minutes * MINUTE_MS)
}

/** MoMo is given half a minute to make an order, and a little more when it is busy; who asks again by the same key before that is asked to wait. */
export const MAKING_MS = 60_000
