const MINUTE_MS = 60_000
/** After this many minutes a vendor is asked about what it has not decided; then every hour. */
const FIRST_MINUTES = [1, 3, 10, 30]
const LAST_MINUTES = 24 * 60

/** When to ask next about what was begun at a moment. */
export function nextQueryAt(startedAt: Date, now: Date): Date {
  const minutesGone = (now.getTime() - startedAt.getTime()) / MINUTE_MS
  const minutes = FIRST_MINUTES.find((each) => each > minutesGone) ?? (Math.floor(minutesGone / 60) + 1) * 60
  return new Date(startedAt.getTime() + minutes * MINUTE_MS)
}

/** When to ask about an order next; null when a day has gone by. */
export function nextOrderQueryAt(createdAt: Date, now: Date): Date | null {
  const next = nextQueryAt(createdAt, now)
  return next.getTime() - createdAt.getTime() > LAST_MINUTES * MINUTE_MS ? null : next
}

/** MoMo is given half a minute to make an order, and a little more when it is busy; who asks again by the same key before that is asked to wait. */
export const MAKING_MS = 60_000
