import type { FastifyReply } from 'fastify'
import { LIST_ROWS_MAX } from '#contract/operator/fields.ts'

/** The query of a list as its schema (`listQuery` of the contract) read it. */
type ListQuery<Sort extends string, Filter> = {
  sort?: readonly [Sort, 'ASC' | 'DESC'] | undefined
  range?: readonly [number, number] | undefined
  filter?: Filter | undefined
  after?: string | undefined
}

/** Which rows of a list are requested: `from`…`to`, counted from 0 and inclusive, or that many rows after the row `after`. */
export type ListPage = { order: 'asc' | 'desc'; from: number; to: number; after?: string | undefined }

type ListRequest<Sort extends string, Filter> = ListPage & { sort: Sort; filter: Filter }

/** Fills in what the caller left out: the given sort, the first 25 rows, no filter. */
export function readList<Sort extends string, Filter>(
  { sort, range = [0, 24], filter, after }: ListQuery<Sort, Filter>,
  usual: readonly [Sort, 'ASC' | 'DESC'],
): ListRequest<Sort, Filter> {
  const [column, direction] = sort ?? usual
  const [from, to] = range
  const rows = Math.min(to - from + 1, LIST_ROWS_MAX)
  const start = after === undefined ? from : 0
  return {
    sort: column,
    order: direction === 'ASC' ? 'asc' : 'desc',
    from: start,
    to: start + rows - 1,
    // A filter has no field that must be there.
    filter: filter ?? ({} as Filter),
    after,
  }
}

/** `total` is counted when it is requested where that takes a statement of its own: a file needs no number. */
export type ListRows<Row> = { total: number | (() => Promise<number>); rows: Row[] }

/**
 * Sets `Content-Range` and returns the rows. For a full page of a growing table, `X-Next-After` names its last row, from
 * which the next request continues.
 */
export async function listAnswer<Row extends { id: string }>(
  reply: FastifyReply,
  resource: string,
  { page, total, rows, isGrowing = false }: ListRows<Row> & { page: ListPage; isGrowing?: boolean },
): Promise<Row[]> {
  const counted = typeof total === 'number' ? total : await total()
  const last = page.from + Math.max(rows.length - 1, 0)
  const named = page.after === undefined ? `${page.from}-${last}` : '*'
  reply.header('content-range', `${resource} ${named}/${counted}`)
  reply.header('access-control-expose-headers', 'Content-Range, X-Next-After')
  const next = rows.at(-1)
  if (isGrowing && next && rows.length === page.to - page.from + 1) reply.header('x-next-after', next.id)
  return rows
}

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

/** Rows of which one more was read than is shown: that one only shows that there are more. */
export function partOf<Row extends { id: string }>(rows: Row[]): { rows: Row[]; next: string | null } {
  const shown = rows.slice(0, PART_ROWS)
  return { rows: shown, next: rows.length > PART_ROWS ? (shown.at(-1)?.id ?? null) : null }
}
