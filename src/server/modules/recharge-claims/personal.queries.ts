import { sql } from 'kysely'
import type { PersonalPart } from '#server/domain/personal-part.ts'

/** In place of what an operator wrote to the player. */
const ERASED_MESSAGE = 'Đã xóa'

const claimsOf = (id: string) => sql`SELECT id FROM recharge_claim WHERE user_id = ${id}::bigint`

/** That money was claimed and how it ended stays; words, picture and the bank's reference go. */
export const personalClaims: PersonalPart = {
  lists: {
    async recharge_claims(db, { id }, { after, limit }) {
      const { rows } = await sql<{ cursor: string }>`
        SELECT c.id::text AS cursor, c.amount, c.paid_at, c.bank_reference, n.note,
               EXISTS (SELECT FROM recharge_claim_picture p WHERE p.claim_id = c.id) AS has_picture,
               c.status, c.created_at, c.answered_at, c.message
          FROM recharge_claim c LEFT JOIN recharge_claim_note n ON n.claim_id = c.id
         WHERE c.user_id = ${id}::bigint AND c.id > coalesce(${after}::bigint, 0)
         ORDER BY c.id LIMIT ${limit}`.execute(db)
      return rows
    },
  },
  async erase(tx, { id }) {
    await sql`DELETE FROM recharge_claim_note WHERE claim_id IN (${claimsOf(id)})`.execute(tx)
    await sql`DELETE FROM recharge_claim_picture WHERE claim_id IN (${claimsOf(id)})`.execute(tx)
    await sql`
      UPDATE recharge_claim
         SET bank_reference = NULL, message = CASE WHEN message IS NOT NULL THEN ${ERASED_MESSAGE} END
       WHERE user_id = ${id}::bigint`.execute(tx)
  },
  open: {
    async claim(tx, { id }) {
      const { rows } = await sql`
        SELECT FROM recharge_claim WHERE user_id = ${id}::bigint AND status = 'open'`.execute(tx)
      return rows.length
    },
  },
}
