import { sql } from 'kysely'
import { eraseNothing, type PersonalPart } from '#server/platform/personal.ts'

/** Orders hold amounts, our own account and a code: they stay with the ledger and name nobody. */
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
  },
  erase: eraseNothing,
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
