/** How many rows about a player or an order are shown at once. */
export const PART_ROWS = 30

/** Rows of which one more was read than is shown: that one only tells that there are more. */
export function partOf<Row extends { id: string }>(rows: Row[]): { rows: Row[]; next: string | null } {
  const shown = rows.slice(0, PART_ROWS)
  return { rows: shown, next: rows.length > PART_ROWS ? (shown.at(-1)?.id ?? null) : null }
}
