import { sql } from 'kysely'
import type { ClaimCandidate, OperatorClaim } from '#contract/operator/recharge.ts'
import { claims, toClaim } from '#server/modules/recharge-claims/index.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { hasRows } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

const namedClaims = (db: Db | Tx) =>
  claims(db)
    .innerJoin('users', 'users.id', 'claim.user_id')
    .select(['claim.user_id', 'users.username', 'claim.bank_transaction_id'])

export async function findClaim(db: Db | Tx, id: string): Promise<OperatorClaim | undefined> {
  const row = await namedClaims(db).where('claim.id', '=', id).executeTakeFirst()
  return row && toClaim(row)
}

/** Locks a claim against a second operator before it is read. */
export async function lockClaim(tx: Tx, id: string): Promise<OperatorClaim | undefined> {
  await tx.selectFrom('recharge_claim').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  return findClaim(tx, id)
}

export async function findPicture(db: Db, claimId: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('recharge_claim_picture')
    .select('content')
    .where('claim_id', '=', claimId)
    .executeTakeFirst()
  return row?.content
}

/** Whether a claim was settled by a transfer. Only to be trusted under the transfer's lock. */
export async function isClaimed(tx: Tx, transferId: string): Promise<boolean> {
  return hasRows(tx.selectFrom('recharge_claim').where('bank_transaction_id', '=', transferId))
}

/** Around the time that a player names. */
export const CLAIM_HOURS = 48
const CANDIDATES_MAX = 10

type RawCandidate = Omit<ClaimCandidate, 'amount' | 'booked_at'> & { amount: string; booked_at: Date | null }

/**
 * Incoming transfers of the claimed amount around the claimed time, and those with the claimed reference, the latter
 * first. At most ten: a common amount has more, and then it identifies no transfer.
 */
export async function listCandidates(
  db: Db,
  claim: Pick<OperatorClaim, 'amount' | 'paid_at'>,
  reference: string | null,
): Promise<ClaimCandidate[]> {
  // As a value the planner knows how little of the index it bounds; as a column it would read all of it.
  const paidAt = sql`${claim.paid_at}::timestamptz`
  const { rows } = await sql<RawCandidate>`
    WITH near AS (
      (SELECT bank.id FROM bank_transaction bank
        WHERE bank.direction = 'in' AND bank.amount = ${claim.amount}
          AND coalesce(bank.booked_at, bank.created_at)
              BETWEEN ${paidAt} - make_interval(hours => ${CLAIM_HOURS})
                  AND ${paidAt} + make_interval(hours => ${CLAIM_HOURS})
        ORDER BY coalesce(bank.booked_at, bank.created_at) DESC LIMIT 200)
      UNION
      (SELECT bank.id FROM bank_transaction bank
        WHERE bank.direction = 'in' AND upper(bank.bank_ref) = ${reference}
        LIMIT ${CANDIDATES_MAX}))
    SELECT bank.id, bank.amount, bank.booked_at, bank.bank_ref AS bank_reference, bank.account_number, bank.state,
           bank.reason, bank.user_id, paid.code AS order_code, bank.amount = ${claim.amount} AS is_same_amount,
           coalesce(upper(bank.bank_ref) = ${reference}, false) AS is_same_reference
      FROM near JOIN bank_transaction bank ON bank.id = near.id
      LEFT JOIN payment_order paid ON paid.id = bank.order_id
     ORDER BY is_same_reference DESC,
              abs(extract(epoch FROM coalesce(bank.booked_at, bank.created_at) - ${paidAt})), bank.id
     LIMIT ${CANDIDATES_MAX}`.execute(db)
  return rows.map((row) => ({
    ...row,
    amount: parseCoins(row.amount),
    booked_at: row.booked_at?.toISOString() ?? null,
  }))
}

/** Of each amount the claims that are not decided and whose case is not closed, the newest first. */
export async function listOpenClaims(
  db: Db,
  amounts: readonly number[],
  limit: number,
): Promise<OperatorClaim[]> {
  const ofAmount = (amount: number) =>
    namedClaims(db)
      .where('claim.status', '<>', 'settled')
      .where('claim.amount', '=', String(amount))
      .where(sql<boolean>`(held.state = 'open' OR (held.state = 'answered' AND claim.status = 'open'))`)
      .orderBy('claim.id', 'desc')
      .limit(limit)
  const [first, ...others] = amounts.map((amount) => db.selectFrom(ofAmount(amount).as('open')).selectAll())
  if (first === undefined) return []
  // Each with its value: the planner does not know how rare an amount is that it reads from a list.
  const all = others.reduce((some, one) => some.unionAll(one), first)
  return (await all.execute()).map(toClaim)
}
