import { createHash } from 'node:crypto'
import type { BodyOf, QueryOf } from '#contract/endpoint.ts'
import type { reportClientError } from '#contract/client-errors.ts'
import type { ClientErrorRow, operatorClientErrors } from '#contract/operator/client-errors.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { count } from '#server/domain/metrics.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import type { ListPage } from '#server/platform/http/list.ts'
import { type Loop, startLoops } from '#server/platform/jobs/loop.ts'
import { machineLimit } from '#server/platform/limits/limits.ts'
import type { SourceMaps } from '#server/platform/pages/source-maps.ts'
import { conflict, notFound } from '#server/platform/values/errors.ts'
import {
  countAgain,
  countErrorsLocked,
  findError,
  insertError,
  markHandled,
  removeOldErrors,
  selectErrors,
} from './client-errors.queries.ts'
import { engineOf, framesIn, ERRORS_OF_RELEASE_MAX, pageOf, scrubbed } from './client-errors.rules.ts'

export type ClientErrorDeps = PlatformDeps & { sourceMaps: SourceMaps }

const HOUR_MS = 3_600_000

/** Carriers put many players behind one address; those that are not counted are alike. */
const PER_ADDRESS = machineLimit('client-errors-address', 60, 600)
/** A release that breaks every page must not be what keeps the database busy. */
const OF_ALL = machineLimit('client-errors', 1_200, 60)

type Report = BodyOf<typeof reportClientError>

/** The first script of a build, whose name has the hash that browsers call the release. */
const ENTRIES: Record<Report['site'], (release: string) => string> = {
  player: (release) => `static/js/entry-client-${release}.js`,
  console: (release) => `admin/static/entry-client-${release}.js`,
}

/** Stores what a browser tells, by what it has in common with others. Anybody may send anything: nothing of it is stored as it came. */
export async function storeReport(deps: ClientErrorDeps, report: Report, address: string): Promise<void> {
  await deps.limits.consume(PER_ADDRESS, address)
  await deps.limits.consume(OF_ALL, 'all')
  const { db, sourceMaps } = deps
  const { site, kind } = report
  count('portal_client_errors_total', { site, kind })
  // So that there are no more releases than were built.
  const release = (await sourceMaps.has(ENTRIES[site](report.release))) ? report.release : ''
  const [message, frames] = [scrubbed(report.message), framesIn(report.place)]
  const met = { page: pageOf(site, report.page), engine: engineOf(report.engine) }
  const fingerprint = fingerprintOf(site, release, message, ...frames)
  if (await countAgain(db, { fingerprint, ...met })) return
  const place = (await Promise.all(frames.map(sourceMaps.placeOf))).join('\n')
  await inTransaction(db, async (tx) => {
    const isFull = (await countErrorsLocked(tx, { site, release })) >= ERRORS_OF_RELEASE_MAX
    const stored = isFull
      ? { fingerprint: fingerprintOf(site, release), message: '', place: '' }
      : { fingerprint, message, place }
    if (await countAgain(tx, { ...stored, ...met })) return
    await insertError(tx, { ...stored, ...met, site, release, kind })
  })
}

const fingerprintOf = (...parts: readonly string[]): Buffer =>
  createHash('sha256').update(JSON.stringify(parts)).digest()

type Filter = NonNullable<QueryOf<typeof operatorClientErrors.list>['filter']>
type Sort = 'last_seen' | 'first_seen' | 'times'

export const listClientErrors = (db: Db, filter: Filter, page: ListPage & { sort: Sort }) =>
  selectErrors(db, filter, page)

export async function getClientError(db: Db, id: string): Promise<ClientErrorRow> {
  const found = await findError(db, id)
  if (found === undefined) throw notFound()
  return found
}

export const handleClientError = (
  deps: PlatformDeps,
  call: UserCall<typeof operatorClientErrors.handle>,
): Promise<ClientErrorRow> =>
  actAsOperator(deps, call, {
    action: 'client-errors.handle',
    async work(tx) {
      const { id } = call.params
      if ((await findError(tx, id)) === undefined) throw notFound()
      const after = await markHandled(tx, id)
      if (after === undefined) throw conflict('Lỗi này đã được đánh dấu là đã xử lý')
      const { message, release, places } = after
      const details = { message, release, place: places[0] ?? '' }
      return { answer: after, audit: { subject: { type: 'client-error', id }, details } }
    },
  })

export const startClientErrorJobs = (deps: PlatformDeps): Loop[] =>
  startLoops(deps.log, [{ name: 'old client errors', pauseMs: HOUR_MS, round: () => removeOldErrors(deps) }])
