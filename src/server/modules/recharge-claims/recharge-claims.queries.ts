import { sql, type Insertable } from 'kysely'
import type { ClaimStatus, RechargeClaim } from '#contract/recharge-claims.ts'
import { parseCoins } from '#server/domain/coins.ts'
import { inPages } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import { countRows } from '#server/platform/db/list.ts'
import type { DB } from '#server/platform/db/schema.gen.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { CleanPicture } from '#server/platform/pictures/reencode.ts'
import { sweep } from '#server/platform/queues/sweeping.ts'
import type { Log } from '#server/platform/log/log.ts'

type ClaimParts = { note: string | null; picture: CleanPicture | null }

/** A claim with what belongs to it, each in its own table. */
export async function insertClaim(
  tx: Tx,
  claim: Insertable<DB['recharge_claim']>,
  { note, picture }: ClaimParts,
): Promise<string> {
  const { id } = await tx.insertInto('recharge_claim').values(claim).returning('id').executeTakeFirstOrThrow()
  if (note !== null) await tx.insertInto('recharge_claim_note').values({ claim_id: id, note }).execute()
  if (picture !== null) {
    await tx
      .insertInto('recharge_claim_picture')
      .values({ claim_id: id, ...picture })
      .execute()
  }
  return id
}

/** The number of a player's claims whose case waits for an answer. Only exact under the player's lock. */
export async function countOpenClaims(tx: Tx, userId: string): Promise<number> {
  return countRows(
    tx
      .selectFrom('help_case')
      .where('user_id', '=', userId)
      .where('about_kind', '=', 'claim')
      .where('state', '=', 'open'),
  )
}

/**
 * The state of a claim is that of its case: what is stored with the claim is only how it was decided. A player who is not content
 * writes on, and the claim waits again; a case that was closed without a decision has rejected it.
 */
const statusNow = sql<ClaimStatus>`CASE
  WHEN claim.status = 'settled' THEN 'settled'
  WHEN held.state = 'open' THEN 'open'
  WHEN held.state = 'answered' AND claim.status = 'open' THEN 'answered'
  ELSE 'rejected' END`

/** What was answered with the decision, or written last without one. */
const messageNow = sql<string | null>`coalesce(claim.message, (
  SELECT m.text FROM help_message m WHERE m.case_id = held.id AND m.is_staff ORDER BY m.id DESC LIMIT 1))`

/** A claim with everything but its picture's content. */
export const claims = (db: Db | Tx) =>
  db
    .selectFrom('recharge_claim as claim')
    .leftJoin('help_case as held', (join) =>
      join.on('held.about_kind', '=', 'claim').on('held.about_id', '=', sql<string>`claim.id::text`),
    )
    .leftJoin('recharge_claim_note as noted', 'noted.claim_id', 'claim.id')
    .leftJoin('recharge_claim_picture as shown', 'shown.claim_id', 'claim.id')
    .select([
      'claim.id',
      'claim.amount',
      'claim.paid_at',
      'claim.bank_reference',
      'noted.note',
      sql<boolean>`shown.id IS NOT NULL`.as('has_picture'),
      statusNow.as('status'),
      messageNow.as('message'),
      'held.id as case_id',
      'claim.created_at',
      sql<Date | null>`coalesce(claim.answered_at, held.first_answered_at, held.closed_at)`.as('answered_at'),
    ])

type ClaimRow = Awaited<ReturnType<ReturnType<typeof claims>['executeTakeFirstOrThrow']>>

/** The row may have more columns, which stay as they are. */
export const toClaim = <Row extends ClaimRow>(row: Row) => ({
  ...row,
  amount: parseCoins(row.amount),
  paid_at: row.paid_at.toISOString(),
  created_at: row.created_at.toISOString(),
  answered_at: row.answered_at?.toISOString() ?? null,
})

export async function countClaims(db: Db, userId: string): Promise<number> {
  return countRows(db.selectFrom('recharge_claim').where('user_id', '=', userId))
}

export async function listClaimsOf(
  db: Db,
  userId: string,
  page: { limit: number; offset: number },
): Promise<RechargeClaim[]> {
  const rows = await claims(db)
    .where('claim.user_id', '=', userId)
    .orderBy('claim.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return rows.map(toClaim)
}

export type StoredAnswer = {
  claimId: string
  status: 'settled' | 'rejected'
  message: string
  bankTransactionId: string | null
  operatorId: string
}

export async function updateAnswered(tx: Tx, answer: StoredAnswer): Promise<void> {
  await tx
    .updateTable('recharge_claim')
    .set({
      status: answer.status,
      message: answer.message,
      bank_transaction_id: answer.bankTransactionId,
      answered_by: answer.operatorId,
      answered_at: sql<Date>`clock_timestamp()`,
    })
    .where('id', '=', answer.claimId)
    .execute()
}

const ERASED_AT_ONCE = 50

/** Erases one batch of pictures that were sent before a moment and whose case does not wait; true when there may be more. */
export const removePictures = (deps: { db: Db; log: Log }, before: Date): Promise<boolean> =>
  sweep(deps, {
    job: 'claim pictures',
    table: 'recharge_claim_picture',
    isDue: sql`due.created_at < ${before} AND NOT EXISTS (
      SELECT FROM help_case held
       WHERE held.about_kind = 'claim' AND held.about_id = due.claim_id::text AND held.state = 'open')`,
    order: sql`due.created_at`,
    limit: ERASED_AT_ONCE,
  })

export const claimsOfPerson = inPages(
  ({ id }, { after, limit }) => sql`
    SELECT c.id::text AS cursor, c.amount, c.paid_at, c.bank_reference, n.note,
           EXISTS (SELECT FROM recharge_claim_picture p WHERE p.claim_id = c.id) AS has_picture,
           c.status AS decision, c.created_at, c.answered_at, c.message
      FROM recharge_claim c LEFT JOIN recharge_claim_note n ON n.claim_id = c.id
     WHERE c.user_id = ${id}::bigint AND c.id > coalesce(${after}::bigint, 0)
     ORDER BY c.id LIMIT ${limit}`,
)

/** Erases texts, pictures and references; `message` stands in place of what an operator wrote to the player. */
export async function eraseClaimsOf(tx: Tx, userId: string, message: string): Promise<void> {
  const ids = sql`SELECT id FROM recharge_claim WHERE user_id = ${userId}::bigint`
  await sql`DELETE FROM recharge_claim_note WHERE claim_id IN (${ids})`.execute(tx)
  await sql`DELETE FROM recharge_claim_picture WHERE claim_id IN (${ids})`.execute(tx)
  await sql`
    UPDATE recharge_claim
       SET bank_reference = NULL, message = CASE WHEN message IS NOT NULL THEN ${message} END
     WHERE user_id = ${userId}::bigint`.execute(tx)
}
