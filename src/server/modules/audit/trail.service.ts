import type { AnswerOf, QueryOf } from '#contract/endpoint.ts'
import { type AuditAction, describeAct } from '#contract/operator/audit-sentences/sentences.ts'
import type { AuditedAct } from '#contract/operator/audit-sentences/audited-act.ts'
import type { DescribedAct, Thing } from '#contract/operator/audit-sentences/parts.ts'
import type { AuditRow, operatorAudit } from '#contract/operator/audit.ts'
import { eraseNothing, type Person, type PersonalPart } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { machineLimit } from '#server/platform/limits/limits.ts'
import { msSince } from '#server/platform/values/moments.rules.ts'
import { boundsOfDay } from '#server/platform/values/vietnam-time.rules.ts'
import { firstOf, type Verified, verifyAuditChain, WHOLE } from './audit.service.ts'
import { erasePersonalPartsOf, listOldPersonal } from './audit.queries.ts'
import {
  type ChainedAct,
  type ChainFault,
  claimTrailCheck,
  listDueChecks,
  postponeTrailCheck,
  findFirstAct,
  findTrailCheck,
  sealDay,
  storeTrailCheck,
} from './chain.queries.ts'
import {
  readNames,
  countTrail,
  erasePersonalParts,
  exportActsOfPlayer,
  exportActsOnAccount,
  findActorId,
  selectTrail,
  type StoredAct,
  type TrailFilter,
} from './trail.queries.ts'
import { workOff } from '#server/platform/queues/due-rows.ts'

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
    since: filter.from === undefined ? undefined : boundsOfDay(filter.from).start,
    until: filter.to === undefined ? undefined : boundsOfDay(filter.to).end,
  }
  return {
    total: () => countTrail(db, stored),
    rows: await describeActs(db, await selectTrail(db, stored, page)),
  }
}

const ROWS_OF_SUBJECT = 50

/** What was done to one thing, the newest first, before the row `before`. */
export async function listTrailOf(
  db: Db,
  { type, id }: { type: string; id: string },
  before: string | undefined,
): Promise<StoredAct[]> {
  const page: ListPage = { order: 'desc', from: 0, to: ROWS_OF_SUBJECT - 1, after: before }
  return selectTrail(db, { subjectType: type, subjectId: id }, page)
}

/** The first act of this kind on one thing, and whether its row is still as it was written. */
export const firstActOf = (
  db: Db,
  subject: { type: string; id: string },
  action: AuditAction,
): Promise<ChainedAct | undefined> => findFirstAct(db, subject, action)

/** Rows of the trail in words, by their numbers. */
export async function describeTrailRows(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, StoredAct & DescribedAct>> {
  if (ids.length === 0) return new Map()
  const page: ListPage = { order: 'desc', from: 0, to: ids.length - 1, after: undefined }
  const rows = await describeActs(db, await selectTrail(db, { id: ids }, page))
  return new Map(rows.map((row) => [row.id, row]))
}

/** Days of rows are read. */
const CHECKS_PER_OPERATOR = machineLimit('audit-checks', 6, 60)
const FAULTS_NAMED = 100

/**
 * What came since the last check that found nothing, so that it is quick; all when there was none. Reading changes
 * nothing: the alarm begins and ends with the daily check.
 */
export async function checkTrail(
  { db, clock, limits }: PlatformDeps,
  operatorId: string,
): Promise<AnswerOf<typeof operatorAudit.verify>> {
  await limits.consume(CHECKS_PER_OPERATOR, operatorId)
  const { verified_seal, whole_at } = await findTrailCheck(db)
  const { rows, faults } = await verifyAuditChain(db, verified_seal)
  return {
    rows,
    checked_at: clock.now().toISOString(),
    whole_at: verified_seal === WHOLE ? null : (whole_at?.toISOString() ?? null),
    faults: faults.slice(0, FAULTS_NAMED).map(toPlace),
  }
}

const toPlace = ({ seq, fault }: ChainFault) => ({ id: seq, fault })

type Checked = Verified & { first: ChainFault | null }

/** Reads the trail and stores how many places do not fit, and the first of them, which the alarm shows. */
export async function verifyAndStore(db: Db, since = WHOLE): Promise<Checked> {
  const verified = await verifyAuditChain(db, since)
  const { faults, seal } = verified
  const first = firstOf(faults)
  await storeTrailCheck(db, { faults: faults.length, first, seal, isWhole: since === WHOLE })
  return { ...verified, first }
}

const WEEK_MS = 7 * 86_400_000
/** A check reads much: one that came to no end is made again after this long. */
const AGAIN_SECONDS = 600

/** Once a day, by one process: what the check of the day before has not read, and all of it every week. */
export async function verifyDaily(deps: Pick<PlatformDeps, 'db' | 'clock' | 'log'>): Promise<void> {
  const { db, clock } = deps
  await workOff(deps, {
    job: 'daily check of the audit trail',
    limit: 2,
    leaseSeconds: AGAIN_SECONDS,
    list: listDueChecks,
    async work() {
      if (!(await claimTrailCheck(db))) return false
      const { verified_seal, whole_at } = await findTrailCheck(db)
      const isWeekOld = whole_at === null || msSince(whole_at, clock.now()) >= WEEK_MS
      try {
        await verifyAndStore(db, isWeekOld ? WHOLE : verified_seal)
      } catch (error) {
        await postponeTrailCheck(db, AGAIN_SECONDS)
        throw error
      }
      return true
    },
  })
}

/** Its hash goes into the log, which is stored elsewhere: a forged trail would not have it. */
export async function sealTrail({ db, log }: Pick<PlatformDeps, 'db' | 'log'>): Promise<void> {
  const made = await sealDay(db)
  if (made !== null)
    log.info({ event: 'audit.sealed', seal: made.number, hash: made.hash }, 'the audit trail was sealed')
}

/** What the last check found; `checkedAt` is null before the first. */
export async function lastTrailCheck(
  db: Db,
): Promise<{ faults: number; checkedAt: string | null; place: ReturnType<typeof toPlace> | null }> {
  const { faults, checked_at, first_fault: fault, first_place: seq } = await findTrailCheck(db)
  const place = fault === null || seq === null ? null : toPlace({ seq, fault })
  return { faults: Number(faults), checkedAt: checked_at?.toISOString() ?? null, place }
}

/** Acts in words, with the present names of what they are about: read for all of them together. */
export async function describeActs<Act extends AuditedAct>(
  db: Db,
  acts: readonly Act[],
): Promise<(Act & DescribedAct)[]> {
  const things: Thing[] = []
  for (const act of acts)
    describeAct(act, (thing) => {
      things.push(thing)
      return undefined
    })
  const nameOf = await readNames(db, things)
  return acts.map((act) => ({ ...act, ...describeAct(act, nameOf) }))
}

const ERASED_AT_ONCE = 1_000

/** Erases one batch of personal parts older than 24 months; true when it did something. */
export function eraseOldPersonal(deps: Pick<PlatformDeps, 'db' | 'log'>): Promise<boolean> {
  const erase = (seqs: readonly string[]) => erasePersonalPartsOf(deps.db, seqs)
  return workOff(deps, {
    job: 'old personal parts of the audit trail',
    limit: ERASED_AT_ONCE,
    list: listOldPersonal,
    work: async (seq) => (await erase([seq])) > 0,
    workAll: erase,
  })
}

const HOUR_MS = 3_600_000
const CHECK_PAUSE_MS = 600_000

export function startAuditJobs(deps: PlatformDeps): Loop[] {
  return startLoops(deps.log, [
    { name: 'old personal parts of the audit trail', pauseMs: HOUR_MS, round: () => eraseOldPersonal(deps) },
    { name: 'daily seal of the audit trail', pauseMs: CHECK_PAUSE_MS, round: () => sealTrail(deps) },
    { name: 'daily check of the audit trail', pauseMs: CHECK_PAUSE_MS, round: () => verifyDaily(deps) },
  ])
}

/**
 * Rows of the trail stay, since they are chained; their personal parts are erased at the very end, by `erasePersonalOf`,
 * when the trail has its row of the erasure.
 */
export const personalTrail: PersonalPart = {
  lists: { acts_of_the_player: exportActsOfPlayer, acts_on_the_account: exportActsOnAccount },
  erase: eraseNothing,
}

/** The last statement of an erasure. */
export async function erasePersonalOf(tx: Tx, { id, username, characters }: Person): Promise<void> {
  await erasePersonalParts(tx, id, [username, ...characters.map(({ name }) => name)])
}
