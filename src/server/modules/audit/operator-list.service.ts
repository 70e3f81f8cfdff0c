import { Readable } from 'node:stream'
import type { Endpoint, QueryOf } from '#contract/endpoint.ts'
import { LIST_ROWS_MAX } from '#contract/operator/list.ts'
import { BYTE_ORDER_MARK, csvLine } from '#server/platform/csv.rules.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import type { Api, FileCall, Handler } from '#server/platform/http/api.ts'
import { listAnswer, readList, type ListPage, type ListRows } from '#server/platform/http/list.ts'
import { validate } from '#server/platform/http/validate.ts'
import { vietnamDay } from '#server/platform/vietnam-time.rules.ts'
import { appendAudit } from './audit.service.ts'

type Cell = string | number | null

type Filter<E> = NonNullable<(QueryOf<E> & { filter?: object })['filter']>
type Sort<E> = NonNullable<(QueryOf<E> & { sort?: readonly [string, 'ASC' | 'DESC'] })['sort']>

type OperatorList<E, Row> = {
  /** As in the endpoint's path: the name in Content-Range, of the file and in the audit trail. */
  resource: string
  usualSort: Sort<E>
  /** The table only grows: pages continue by key. */
  isGrowing?: boolean
  rows(filter: Filter<E>, page: ListPage & { sort: Sort<E>[0] }): Promise<ListRows<Row>>
  /** The columns of the file, by heading; left out, there is no file. */
  file?: Record<string, (row: Row) => Cell>
}

const FILE_ROWS_MAX = 50_000

/**
 * Serves a list of the console, and the same list as a CSV file at `<path>.csv`. The file is read page by page while it is
 * sent, up to 50,000 rows, and leaves a row in the audit trail.
 */
export function serveOperatorList<E extends Endpoint, Row extends { id: string }>(
  api: Api,
  deps: Pick<PlatformDeps, 'db' | 'clock'>,
  endpoint: E,
  list: OperatorList<E, Row>,
): void {
  const { resource, usualSort, isGrowing = false, file } = list
  type Query = Parameters<typeof readList<Sort<E>[0], Filter<E>>>[0]
  const handle = async ({ query, reply }: { query: Query; reply: FileCall['reply'] }) => {
    const page = readList(query, usualSort)
    return listAnswer(reply, resource, { page, isGrowing, ...(await list.rows(page.filter, page)) })
  }
  api.serve(endpoint, handle as unknown as Handler<E>)
  if (!file) return
  api.serveFile(
    `${endpoint.path}.csv`,
    endpoint.access as 'operator',
    async ({ identity, request, reply }) => {
      const query = validate(endpoint.query as never, request.query) as Query
      const { sort, order, filter } = readList(query, usualSort)
      const read = (page: Pick<ListPage, 'from' | 'to' | 'after'>) =>
        list.rows(filter, { sort, order, ...page })
      // Before anything is sent, so that a wrong filter is still refused.
      const first = (await read({ from: 0, to: LIST_ROWS_MAX - 1 })).rows
      await inTransaction(deps.db, (tx) =>
        appendAudit(tx, {
          actor: { kind: 'operator', id: identity.userId },
          action: `${resource}.export`,
          subject: { type: resource, id: 'csv' },
          ...describeFilter(filter),
          requestId: request.id,
        }),
      )
      reply.header(
        'content-disposition',
        `attachment; filename="${resource}-${vietnamDay(deps.clock.now())}.csv"`,
      )
      reply.type('text/csv; charset=utf-8')
      return Readable.from(linesOf({ first, read, file, isGrowing }), { objectMode: false })
    },
  )
}

/** Filters by which a person is looked for. */
const NAMING = ['q', 'user', 'username', 'player', 'actor']

/** What is looked for by a person's name can be erased with the person. */
function describeFilter(filter: object) {
  const entries = Object.entries(filter)
  const naming = entries.filter(([key]) => NAMING.includes(key))
  return {
    details: { filter: Object.fromEntries(entries.filter(([key]) => !NAMING.includes(key))) },
    ...(naming.length === 0 ? {} : { personal: { filter: Object.fromEntries(naming) } }),
  }
}

type FileLines<Row> = {
  first: Row[]
  read: (page: Pick<ListPage, 'from' | 'to' | 'after'>) => Promise<ListRows<Row>>
  file: Record<string, (row: Row) => Cell>
  isGrowing: boolean
}

async function* linesOf<Row extends { id: string }>({ first, read, file, isGrowing }: FileLines<Row>) {
  const cells = Object.values(file)
  yield BYTE_ORDER_MARK + csvLine(Object.keys(file))
  let sent = 0
  for (let rows = first; rows.length > 0;) {
    yield rows.map((row) => csvLine(cells.map((cell) => cell(row) ?? ''))).join('')
    sent += rows.length
    if (rows.length < LIST_ROWS_MAX || sent >= FILE_ROWS_MAX) return
    const from = isGrowing ? 0 : sent
    const after = isGrowing ? rows.at(-1)?.id : undefined
    rows = (await read({ from, to: from + LIST_ROWS_MAX - 1, after })).rows
  }
}
