import { sql } from 'kysely'
import type { PersonalPart } from '#server/domain/personal-part.ts'

/** What was delivered for how much stays; account and character go, and what the game said about the attempts. */
export const personalDeliveries: PersonalPart = {
  lists: {
    async deliveries(db, { id }, { after, limit }) {
      const [since = null, last = null] = after?.split('|') ?? []
      const { rows } = await sql<{ cursor: string }>`
        SELECT d.created_at::text || '|' || d.id AS cursor, d.id, d.kind, d.amount, d.server_id, d.account, d.character_id,
               d.character_name, d.goods, d.state, d.created_at, d.settled_at, o.rate, o.bonus_percent, g.package_id
          FROM delivery d
          LEFT JOIN exchange_order o ON o.delivery_id = d.id
          LEFT JOIN first_gift g ON g.delivery_id = d.id
         WHERE d.user_id = ${id}::bigint
           AND (${since}::timestamptz IS NULL OR (d.created_at, d.id) > (${since}::timestamptz, ${last}::uuid))
         ORDER BY d.created_at, d.id LIMIT ${limit}`.execute(db)
      return rows
    },
  },
  async erase(tx, { id }) {
    await sql`
      DELETE FROM delivery_attempt
       WHERE delivery_id IN (SELECT id FROM delivery WHERE user_id = ${id}::bigint)`.execute(tx)
    await sql`SELECT erase_deliveries_of(${id}::bigint)`.execute(tx)
  },
  open: {
    async delivery(tx, { id }) {
      const { rows } = await sql`
        SELECT FROM delivery WHERE user_id = ${id}::bigint AND state NOT IN ('delivered', 'refunded')`.execute(
        tx,
      )
      return rows.length
    },
  },
}
