import type { FastifyReply } from 'fastify'
import { LIST_ROWS_MAX } from '#contract/operator/fields.ts'

/** The query of a list as its schema (`listQuery` of the contract) read it. */
type ListQuery<Sort extends string, Filter> = {
  sort?: readonly [Sort, 'ASC' | 'DESC'] | undefined
  range?: readonly [number, number] | undefined
  filter?: Filter | undefined
  after?: string | undefined
}

/** Which rows of a list are wanted: `from`…`to`, counted from 0 and inclusive, or that many rows after the row `after`. */
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

/** `total` is counted when it is asked for where that takes a statement of its own: a file needs no number. */
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
