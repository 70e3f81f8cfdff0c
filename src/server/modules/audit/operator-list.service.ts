import type * as z from 'zod/mini'
import type { Endpoint, QueryOf } from '#contract/endpoint.ts'
import type { ExportedList } from '#contract/operator/audit-sentences/running.ts'
import { LIST_REACH_MAX } from '#contract/operator/fields.ts'
import type { Cell } from '#server/platform/values/csv.rules.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { assertPermitted, type Api, type FileCall, type Handler } from '#server/platform/http/api.ts'
import { csvFile } from '#server/platform/http/csv-file.ts'
import { listAnswer, readList, type ListPage, type ListRows } from '#server/platform/http/list.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import { validateQuery } from '#server/platform/http/validate.ts'
import { vietnamDay } from '#server/platform/values/vietnam-time.rules.ts'
import { appendAudit } from './audit.service.ts'

type Filter<E> = NonNullable<(QueryOf<E> & { filter?: object })['filter']>
type Sort<E> = NonNullable<(QueryOf<E> & { sort?: readonly [string, 'ASC' | 'DESC'] })['sort']>

type OperatorList<E, Row> = {
  usualSort: Sort<E>
  rows(db: Db, filter: Filter<E>, page: ListPage & { sort: Sort<E>[0] }): Promise<ListRows<Row>>
  /** Columns whose values change while a file is read: it has the usual order instead, in which each row has one place. */
  changingSorts?: readonly Sort<E>[0][]
  /** The columns of the file, by heading. */
  file?: Record<string, (row: Row) => Cell>
}

/** No other list has a file. */
type FileOf<E> = E extends { path: `/operator/${ExportedList}` } ? unknown : { file?: never }

/**
 * Serves a list of the console, and the same list as a CSV file of any length at `<path>.csv`, which leaves a row in the
 * audit trail. A table that only grows (`growingListQuery`) is walked by key, in batches; another is small and read at once.
 */
export function serveOperatorList<
  E extends Endpoint & { query?: z.ZodMiniObject },
  Row extends { id: string },
>(
  api: Api,
  deps: Pick<PlatformDeps, 'db' | 'clock'>,
  endpoint: E,
  given: OperatorList<E, Row> & FileOf<E>,
): void {
  const list: OperatorList<E, Row> = given
  const { usualSort, changingSorts = [], file } = list
  // As in the path: the name in Content-Range, in the name of the file and in the audit trail.
  const resource = endpoint.path.slice('/operator/'.length).replaceAll('/', '-')
  const isGrowing = endpoint.query !== undefined && 'after' in endpoint.query.shape
  type Query = Parameters<typeof readList<Sort<E>[0], Filter<E>>>[0]
  const handle = async ({ query, reply }: { query: Query; reply: FileCall['reply'] }) => {
    const page = readList(query, usualSort)
    return listAnswer(reply, resource, { page, isGrowing, ...(await list.rows(deps.db, page.filter, page)) })
  }
  api.serve(endpoint, handle as unknown as Handler<E>)
  if (!file) return
  const exported = resource as ExportedList
  const cells = Object.values(file)
  api.serveFile(endpoint, async ({ identity, request, reply }) => {
    const query = validateQuery(endpoint.query as never, request.query) as Query
    const isStable = query.sort === undefined || !changingSorts.includes(query.sort[0])
    const { sort, order, filter } = readList(isStable ? query : { ...query, sort: usualSort }, usualSort)
    let sent = 0
    const content = await csvFile<Row>({
      headings: Object.keys(file),
      cells: (row) => cells.map((cell) => cell(row)),
      ...(isGrowing ? {} : { batchRows: LIST_REACH_MAX }),
      read: async (limit, last) => {
        if (last !== undefined) await assertStillPermitted(api, endpoint, request)
        const from = isGrowing ? 0 : sent
        const page = { sort, order, from, to: from + limit - 1, after: isGrowing ? last?.id : undefined }
        const { rows } = await list.rows(deps.db, filter, page)
        sent += rows.length
        return rows
      },
    })
    await sendExport(deps, { identity, request, reply }, { exported, filter })
    return content
  })
}

/** Leaves a row of the audit trail for a file that somebody takes, and gives the answer its name. */
export async function sendExport(
  { db, clock }: Pick<PlatformDeps, 'db' | 'clock'>,
  { identity, request, reply }: FileCall,
  { exported, filter }: { exported: ExportedList; filter: object },
): Promise<void> {
  await inTransaction(db, (tx) =>
    appendAudit(tx, {
      actor: { kind: 'operator', id: identity.userId },
      action: `${exported}.export`,
      subject: { type: exported, id: 'csv' },
      ...describeFilter(filter),
      requestId: request.id,
    }),
  )
  reply.header('content-disposition', `attachment; filename="${exported}-${vietnamDay(clock.now())}.csv"`)
  reply.type('text/csv; charset=utf-8')
}

/** A long file ends when the session it is sent to does, or its right to read. */
async function assertStillPermitted(
  api: Api,
  { access }: Endpoint,
  request: FileCall['request'],
): Promise<void> {
  const identity = await api.admittedNow(request)
  if (identity === null) throw new Refusal('UNAUTHENTICATED')
  assertPermitted({ identity, request }, typeof access === 'object' ? access.permission : access)
}

/** Filters that name a person. */
const NAMING = ['q', 'user', 'username', 'player', 'actor']

/** Filters that name a person are personal, so that they can be erased with the person. */
function describeFilter(filter: object) {
  const entries = Object.entries(filter)
  const naming = entries.filter(([key]) => NAMING.includes(key))
  return {
    details: { filter: Object.fromEntries(entries.filter(([key]) => !NAMING.includes(key))) },
    ...(naming.length === 0 ? {} : { personal: { filter: Object.fromEntries(naming) } }),
  }
}
