import { sql } from 'kysely'
import type { PersonalPart } from '#server/domain/personal-part.ts'

/**
 * Orders hold amounts, our own account and a code: they stay with the ledger and name nobody. Notes about them are the
 * operators' words and may name people: the export says when there were some, the erasure removes them.
 */
export const personalOrders: PersonalPart = {
  lists: {
    async recharge_orders(db, { id }, { after, limit }) {
      const { rows } = await sql<{ cursor: string }>`
        SELECT id::text AS cursor, code, channel, amount, rate, status, credited, created_at, expires_at, paid_at
          FROM payment_order
         WHERE user_id = ${id}::bigint AND id > coalesce(${after}::bigint, 0) ORDER BY id LIMIT ${limit}`.execute(
        db,
      )
      return rows
    },
    async order_notes(db, { id }, { after, limit }) {
      const { rows } = await sql<{ cursor: string }>`
        SELECT note.id::text AS cursor, placed.code, note.created_at
          FROM order_note note JOIN payment_order placed ON placed.id = note.order_id
         WHERE note.user_id = ${id}::bigint AND note.id > coalesce(${after}::bigint, 0)
         ORDER BY note.id LIMIT ${limit}`.execute(db)
      return rows
    },
  },
  async erase(tx, { id }) {
    await tx.deleteFrom('order_note').where('user_id', '=', id).execute()
  },
  open: {
    /** Locks what may still be paid: money for it is decided about before the erasure, or after it and then by a person. */
    async order(tx, { id }) {
      const { rows } = await sql<{ isOpen: boolean }>`
        SELECT status IN ('pending', 'review') AS "isOpen" FROM payment_order
         WHERE user_id = ${id}::bigint AND credited = 0 ORDER BY id FOR NO KEY UPDATE`.execute(tx)
      return rows.filter(({ isOpen }) => isOpen).length
    },
  },
}
