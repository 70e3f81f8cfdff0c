/** As `pageQueryShape` of the contract reads it. */
export type PageQuery = { page?: number | undefined; items_per_page?: number | undefined }

export type Page<Row> = {
  data: Row[]
  payload: { pagination: { page: number; items_per_page: number; total: number; last_page: number } }
}

const ITEMS_PER_PAGE = 20

/** The range of rows of the requested page, and how it is reported. */
export function pageOf({ page = 1, items_per_page = ITEMS_PER_PAGE }: PageQuery) {
  return {
    limit: items_per_page,
    offset: (page - 1) * items_per_page,
    of<Row>(total: number, data: Row[]): Page<Row> {
      // A list without rows has one page all the same.
      const last_page = Math.max(1, Math.ceil(total / items_per_page))
      return { data, payload: { pagination: { page, items_per_page, total, last_page } } }
    },
  }
}

/** How many rows about a player or an order are shown at once. */
export const PART_ROWS = 30

/** Rows of which one more was read than is shown: that one only tells that there are more. */
export function partOf<Row extends { id: string }>(rows: Row[]): { rows: Row[]; next: string | null } {
  const shown = rows.slice(0, PART_ROWS)
  return { rows: shown, next: rows.length > PART_ROWS ? (shown.at(-1)?.id ?? null) : null }
}
