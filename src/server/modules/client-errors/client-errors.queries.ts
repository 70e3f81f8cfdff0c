import { sql } from 'kysely'
import type { QueryOf } from '#contract/endpoint.ts'
import type { ClientErrorKind } from '#contract/client-errors.ts'
import type { ClientErrorRow, operatorClientErrors } from '#contract/operator/client-errors.ts'
import type { Db } from '#server/platform/db/database.ts'
import { allOf, countRows } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import type { Log } from '#server/platform/log/log.ts'
import { sweep } from '#server/platform/queues/sweeping.ts'
import { CLIENT_ERROR_DAYS_MAX, ENGINES_MAX, OTHER_ENGINE } from './client-errors.rules.ts'

/** What was met once more: which error, and where this time. */
export type Met = { fingerprint: Buffer; page: string; engine: string }

/** Counts it in its row. False when it has none. */
export async function countAgain(db: Db | Tx, { fingerprint, page, engine }: Met): Promise<boolean> {
  const counted = sql`CASE WHEN engines ? ${engine}::text
      OR (SELECT count(*) FROM jsonb_object_keys(engines)) < ${ENGINES_MAX}::integer THEN ${engine}::text ELSE ${OTHER_ENGINE} END`
  const { numAffectedRows } = await sql`
    UPDATE client_error SET times = times + 1, last_seen = clock_timestamp(),
           pages = CASE WHEN ${page}::text = ANY (pages) THEN pages ELSE pages || ${page}::text END,
           engines = engines || jsonb_build_object(${counted}, coalesce((engines ->> ${counted})::bigint, 0) + 1)
     WHERE fingerprint = ${fingerprint}`.execute(db)
  return numAffectedRows === 1n
}

type Release = { site: string; release: string }

/** How many errors of a release have rows; others that would add one wait, until the transaction ends. */
export async function countErrorsLocked(tx: Tx, { site, release }: Release): Promise<number> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`client_error:${site}:${release}`}, 0))`.execute(
    tx,
  )
  return countRows(
    tx
      .selectFrom('client_error')
      .where('site', '=', site)
      .where('release', '=', release)
      .where('message', '<>', ''),
  )
}

type NewError = Met & Release & { kind: string; message: string; place: string }

/** New is what no other release has, in the same file, that was not handled. */
export async function insertError(
  tx: Tx,
  { fingerprint, page, engine, site, release, kind, message, place }: NewError,
): Promise<void> {
  await sql`
    INSERT INTO client_error (fingerprint, site, release, kind, message, place, is_new, pages, engines)
    SELECT ${fingerprint}, ${site}::text, ${release}::text, ${kind}::text, ${message}::text, ${place}::text,
           ${message}::text <> '' AND NOT EXISTS (
             SELECT FROM client_error other WHERE other.site = ${site} AND other.release <> ${release}
                AND other.message = ${message} AND other.handled_at IS NULL
                AND split_part(other.place, ':', 1) = split_part(${place}, ':', 1)),
           ARRAY[${page}::text], jsonb_build_object(${engine}::text, 1)`.execute(tx)
}

const COLUMNS = [
  'id',
  'site',
  'release',
  'kind',
  'message',
  'place',
  'is_new',
  'times',
  'pages',
  'engines',
  'first_seen',
  'last_seen',
  'handled_at',
] as const

const errors = (db: Db | Tx) => db.selectFrom('client_error').select(COLUMNS)

type Row = Awaited<ReturnType<ReturnType<typeof errors>['executeTakeFirstOrThrow']>>

const toError = ({ place, engines, times, ...row }: Row): ClientErrorRow => ({
  ...row,
  site: row.site as ClientErrorRow['site'],
  kind: row.kind as ClientErrorKind,
  places: place === '' ? [] : place.split('\n'),
  times: Number(times),
  pages: row.pages.filter((page) => page !== '').sort(),
  engines: Object.entries(engines as Record<string, number>)
    .map(([engine, count]) => ({ engine, times: count }))
    .sort((one, other) => other.times - one.times),
  first_seen: row.first_seen.toISOString(),
  last_seen: row.last_seen.toISOString(),
  handled_at: row.handled_at?.toISOString() ?? null,
})

type ErrorFilter = NonNullable<QueryOf<typeof operatorClientErrors.list>['filter']>

const matching = ({ id, state, site, kind, release, is_new }: ErrorFilter) =>
  allOf([
    id === undefined ? null : sql`id = ANY (${id}::bigint[])`,
    state === undefined ? null : sql`(handled_at IS NOT NULL) = ${state === 'handled'}`,
    site === undefined ? null : sql`site = ${site}`,
    kind === undefined ? null : sql`kind = ${kind}`,
    release === undefined ? null : sql`release = ${release}`,
    is_new === undefined ? null : sql`is_new = ${is_new}`,
  ])

/** A few hundred rows of each release that is kept. */
export async function selectErrors(
  db: Db,
  filter: ErrorFilter,
  { sort, order, from, to }: ListPage & { sort: 'last_seen' | 'first_seen' | 'times' },
): Promise<ListRows<ClientErrorRow>> {
  const rows = await errors(db)
    .where(matching(filter))
    .orderBy(sort, order)
    .orderBy('id', order)
    .offset(from)
    .limit(to - from + 1)
    .execute()
  return {
    total: await countRows(db.selectFrom('client_error').where(matching(filter))),
    rows: rows.map(toError),
  }
}

export async function findError(db: Db | Tx, id: string): Promise<ClientErrorRow | undefined> {
  const row = await errors(db).where('id', '=', id).executeTakeFirst()
  return row && toError(row)
}

/** Undefined when there is no such row, or it was handled. */
export async function markHandled(tx: Tx, id: string): Promise<ClientErrorRow | undefined> {
  const row = await tx
    .updateTable('client_error')
    .set({ handled_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where('handled_at', 'is', null)
    .returning(COLUMNS)
    .executeTakeFirst()
  return row && toError(row)
}

/** Deletes one batch of errors that nobody has met for long; true when there may be more. */
export const removeOldErrors = (deps: { db: Db; log: Log }): Promise<boolean> =>
  sweep(deps, {
    job: 'old client errors',
    table: 'client_error',
    isDue: sql`due.last_seen < now() - make_interval(days => ${CLIENT_ERROR_DAYS_MAX}::integer)`,
    order: sql`due.last_seen`,
  })
