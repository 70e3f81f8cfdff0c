type ListRow = { event: { direction: 'in' | 'out'; amountVnd: number; providerEventId: string } }

/** What a list says about the day it was read for. */
export function figuresOf({ rows, unreadable }: { rows: readonly ListRow[]; unreadable: readonly string[] }) {
  const figures = { inCount: 0, inVnd: 0, outCount: 0, outVnd: 0, unreadable: unreadable.length }
  for (const { event } of rows) {
    if (event.direction === 'in') {
      figures.inCount += 1
      figures.inVnd += event.amountVnd
    } else {
      figures.outCount += 1
      figures.outVnd += event.amountVnd
    }
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
