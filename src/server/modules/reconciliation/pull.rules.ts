/** A notification may be on its way while the list is read; what is older than this should have come. */
const NOTIFICATION_GRACE_MS = 120_000

export const isOverdue = (bookedAt: Date, now: Date): boolean =>
  now.getTime() - bookedAt.getTime() > NOTIFICATION_GRACE_MS

type ListRow = { event: { direction: 'in' | 'out'; amountVnd: number; providerEventId: string } }

/** What is kept of each row of a list, to compare it with ours. */
export const listedRows = (rows: readonly ListRow[]) =>
  rows.map(({ event: { providerEventId: id, direction, amountVnd: amount } }) => ({ id, direction, amount }))

/** The figures of the day a list was read for. */
export function figuresOf({ rows, unreadable }: { rows: readonly ListRow[]; unreadable: readonly string[] }) {
  const figures = { in_count: 0, in_vnd: 0, out_count: 0, out_vnd: 0, unreadable: unreadable.length }
  for (const { event } of rows) {
    figures[`${event.direction}_count`] += 1
    figures[`${event.direction}_vnd`] += event.amountVnd
  }
  return figures
}

/** Ids are numbers as long as a bank's; compared as such, kept as text. */
export function furthestId(before: string | null, rows: readonly ListRow[]): string | null {
  let furthest = before
  for (const { event } of rows) {
    if (furthest === null || BigInt(event.providerEventId) > BigInt(furthest))
      furthest = event.providerEventId
  }
  return furthest
}
