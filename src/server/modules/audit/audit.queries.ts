import { sql } from 'kysely'
import { APPROVING_ROLES, FORMER_ROLE_DAYS } from '#contract/operator/proposals.ts'
import type { AuditAction } from '#contract/operator/audit-sentences/sentences.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { invariant } from '#server/platform/values/errors.ts'
import type { IsResting } from '#server/platform/queues/due-rows.ts'

export type AuditEntry = {
  actor: { kind: 'operator' | 'user'; id: string } | { kind: 'system' }
  /** What was done, as `<resource>.<act>`: `posts.update`. Each has its sentence in the contract. */
  action: AuditAction
  subject: { type: string; id: string }
  reason?: string
  /** Business values before and after; ids and figures, never what names a person. */
  details?: Record<string, unknown>
  /** What does name a person (addresses, phones, free text of players): stored apart, erasable. */
  personal?: Record<string, unknown>
  requestId?: string
}

type Personal = { text: string; hash: Buffer }

/** Answers the row's number. */
export async function insertAudit(tx: Tx, entry: AuditEntry, personal: Personal | null): Promise<string> {
  const actorId = entry.actor.kind === 'system' ? null : entry.actor.id
  const { rows } = await sql<{
    seq: string
  }>`SELECT audit_append(${entry.actor.kind}, ${actorId}::bigint, ${entry.action}, ${entry.subject.type},
    ${entry.subject.id}, ${entry.reason ?? null}, ${JSON.stringify(entry.details ?? {})}::jsonb, ${personal?.text ?? null}::jsonb,
    ${personal?.hash ?? null}, ${entry.requestId ?? null}) AS seq`.execute(tx)
  const [row] = rows
  invariant(row, 'a function answers one row')
  return row.seq
}

/** A row of the trail as far as its line in the log names it. */
export type TrailRow = {
  seq: string
  action: string
  subjectType: string
  subjectId: string
  requestId: string | null
}

export async function selectTrailRows(db: Db, seqs: readonly string[]): Promise<TrailRow[]> {
  const { rows } = await sql<TrailRow>`
    SELECT seq, action, subject_type AS "subjectType", subject_id AS "subjectId", request_id AS "requestId"
      FROM audit_log WHERE seq = ANY (${seqs}::bigint[])`.execute(db)
  return rows
}

/** The rows of the trail whose personal parts are older than 24 months. */
export async function listOldPersonal(db: Db, isResting: IsResting, limit: number): Promise<string[]> {
  // The trail is in the order of time, so only the first rows that are left are ever read.
  const { rows } = await sql<{ seq: string }>`
    SELECT oldest.seq FROM (
      SELECT seq FROM audit_personal WHERE NOT ${isResting(sql`audit_personal.seq`)} ORDER BY seq LIMIT ${limit}) oldest
      JOIN audit_log a ON a.seq = oldest.seq
     WHERE a.at < now() - interval '24 months' ORDER BY oldest.seq`.execute(db)
  return rows.map(({ seq }) => seq)
}

/** Erases them; answers how many. The chain stays whole. */
export async function erasePersonalPartsOf(db: Db, seqs: readonly string[]): Promise<number> {
  const { rows } = await sql<{ erased: number }>`
    SELECT audit_erase_personal_parts(${[...seqs]}::bigint[]) AS erased`.execute(db)
  return rows[0]?.erased ?? 0
}

/** Whether somebody holds a role, whichever it is, or one that may approve was taken from them in the last days. */
export async function isOperator(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM user_roles WHERE user_id = ${userId}::bigint
    UNION ALL
    SELECT FROM former_role WHERE user_id = ${userId}::bigint AND role = ANY(${[...APPROVING_ROLES]}::text[])
       AND taken_at > clock_timestamp() - make_interval(days => ${FORMER_ROLE_DAYS}::integer) LIMIT 1`.execute(
    db,
  )
  return rows.length > 0
}

export type LimitedAct = { action: string; operatorId: string; userId: string | null; coins: number }

/** Acts that one sum counts take turns from here on, until the transaction ends. */
export async function lockSum(tx: Tx, whose: 'operator' | 'player', id: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`limited acts of ${whose} ${id}`}, 0))`.execute(
    tx,
  )
}

/** TCoin of the last 24 hours. Only to be trusted under the locks of both sums. */
export async function sumOfDay(
  tx: Tx,
  { operatorId, userId }: Pick<LimitedAct, 'operatorId' | 'userId'>,
): Promise<{ ofOperator: number; ofPlayer: number }> {
  const since = sql`clock_timestamp() - interval '24 hours'`
  const { rows } = await sql<{ ofOperator: string; ofPlayer: string }>`
    SELECT (SELECT coalesce(sum(coins), 0) FROM limited_act
             WHERE operator_id = ${operatorId}::bigint AND at > ${since}) AS "ofOperator",
           (SELECT coalesce(sum(coins), 0) FROM limited_act
             WHERE user_id = ${userId}::bigint AND at > ${since}) AS "ofPlayer"`.execute(tx)
  return {
    ofOperator: parseCoins(rows[0]?.ofOperator ?? '0'),
    ofPlayer: parseCoins(rows[0]?.ofPlayer ?? '0'),
  }
}

export async function insertLimitedAct(
  tx: Tx,
  { action, operatorId, userId, coins }: LimitedAct,
): Promise<void> {
  await tx
    .insertInto('limited_act')
    .values({ action, operator_id: operatorId, user_id: userId, coins })
    .execute()
}
