import { sql } from 'kysely'
import type { PersonalPart } from '#server/domain/personal-part.ts'
import { memoOfTransfer } from './operator/bank-transfers.queries.ts'

/** Transfers that were credited to a person, and those by which the bank took them back. */
const transfersOf = (id: string) => sql`
  SELECT id FROM bank_transaction WHERE user_id = ${id}::bigint
  UNION
  SELECT back.id FROM bank_transaction back JOIN bank_transaction b ON b.id = back.reversal_of
   WHERE b.user_id = ${id}::bigint`

type Row = { cursor: string }

/** What the bank reported stays as figures; what was written on the transfers goes, and leaves its seal. */
export const personalTransfers: PersonalPart = {
  lists: {
    async bank_transfers(db, { id }, { after, limit }) {
      const [since = null, last = null] = after?.split('|') ?? []
      const { rows } = await sql<Row>`
        SELECT b.created_at::text || '|' || b.id AS cursor, b.account_number, b.direction, b.amount, b.bank_ref,
               b.booked_at, b.state, b.credited, o.code AS order_code,
               ${memoOfTransfer} AS memo
          FROM bank_transaction b LEFT JOIN payment_order o ON o.id = b.order_id
         WHERE b.user_id = ${id}::bigint
           AND (${since}::timestamptz IS NULL OR (b.created_at, b.id) > (${since}::timestamptz, ${last}::bigint))
         ORDER BY b.created_at, b.id LIMIT ${limit}`.execute(db)
      return rows
    },
  },
  async erase(tx, { id }) {
    await sql`
      DELETE FROM payment_event_body WHERE event_id IN (
        SELECT e.id FROM payment_event e
         WHERE e.bank_transaction_id IN (${transfersOf(id)}) AND e.status <> 'new')`.execute(tx)
  },
  open: {
    async 'bank-transfer'(tx, { id }) {
      const { rows } = await sql`
        SELECT FROM bank_transaction WHERE user_id = ${id}::bigint AND state = 'review'`.execute(tx)
      return rows.length
    },
    async refund(tx, { id }) {
      const { rows } = await sql`
        SELECT FROM gateway_refund r
          JOIN bank_transaction b ON b.id = r.bank_transaction_id
          LEFT JOIN payment_order o ON o.id = b.order_id
         WHERE r.state = 'asked' AND ${id}::bigint IN (b.user_id, o.user_id)`.execute(tx)
      return rows.length
    },
  },
}
