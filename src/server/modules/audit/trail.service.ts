import type { AnswerOf, QueryOf } from '#contract/endpoint.ts'
import type { AuditRow, operatorAudit } from '#contract/operator/audit.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { machineLimit } from '#server/platform/limits/limits.ts'
import { vietnamDayBounds } from '#server/platform/vietnam-time.rules.ts'
import { allowLongStatements, countChain, type ChainFault } from './audit.queries.ts'
import { verifyAuditChain } from './audit.service.ts'
import { claimTrailCheck, findTrailCheck, storeTrailCheck } from './trail-check.queries.ts'
import { countTrail, findActorId, selectTrail, type TrailFilter } from './trail.queries.ts'

type Filter = NonNullable<QueryOf<typeof operatorAudit.list>['filter']>

export async function listTrail(db: Db, filter: Filter, page: ListPage): Promise<ListRows<AuditRow>> {
  const actorId = filter.actor === undefined ? undefined : await findActorId(db, filter.actor)
  if (filter.actor !== undefined && actorId === undefined) return { total: 0, rows: [] }
  const stored: TrailFilter = {
    id: filter.id,
    actorId,
    action: filter.action,
    subjectType: filter.subject_type,
    subjectId: filter.subject_id,
    requestId: filter.request_id,
    since: filter.from === undefined ? undefined : vietnamDayBounds(filter.from)?.start,
    until: filter.to === undefined ? undefined : vietnamDayBounds(filter.to)?.end,
  }
  return { total: await countTrail(db, stored), rows: await selectTrail(db, stored, page) }
}

const ROWS_OF_SUBJECT = 50

/** What was done to one thing, the newest first, before the row `before`. */
export async function listTrailOf(
  db: Db,
  { type, id }: { type: string; id: string },
  before: string | undefined,
): Promise<AuditRow[]> {
  const page: ListPage = { order: 'desc', from: 0, to: ROWS_OF_SUBJECT - 1, after: before }
  return selectTrail(db, { subjectType: type, subjectId: id }, page)
}

/** The whole trail is read: seconds of work for the database. */
const CHECKS_PER_OPERATOR = machineLimit('audit-checks', 6, 60)
const FAULTS_NAMED = 100

export async function checkTrail(
  { db, clock, limits }: PlatformDeps,
  operatorId: string,
): Promise<AnswerOf<typeof operatorAudit.verify>> {
  await limits.consume(CHECKS_PER_OPERATOR, operatorId)
  const { rows, faults } = await inTransaction(db, verifyIn)
  return {
    rows,
    checked_at: clock.now().toISOString(),
    faults: faults.slice(0, FAULTS_NAMED).map(({ seq, fault }) => ({ id: seq, fault })),
  }
}

type Verified = { rows: number; faults: ChainFault[] }

/** Reads the whole trail. */
async function verifyIn(tx: Tx): Promise<Verified> {
  await allowLongStatements(tx)
  return { faults: await verifyAuditChain(tx), rows: await countChain(tx) }
}

/** The same, and keeps how many places do not fit, which the alarm reads. */
export async function verifyAndKeep(db: Db): Promise<Verified> {
  return inTransaction(db, async (tx) => {
    const verified = await verifyIn(tx)
    await storeTrailCheck(tx, verified.faults.length)
    return verified
  })
}

/** Once a day, by one process. */
export async function verifyDaily(db: Db): Promise<void> {
  if (await claimTrailCheck(db)) await verifyAndKeep(db)
}

/** What the last check found; `checkedAt` is null before the first. */
export async function lastTrailCheck(db: Db): Promise<{ faults: number; checkedAt: string | null }> {
  const { faults, checked_at } = await findTrailCheck(db)
  return { faults: Number(faults), checkedAt: checked_at?.toISOString() ?? null }
}
