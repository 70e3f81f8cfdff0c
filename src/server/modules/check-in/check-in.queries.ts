import { sql } from 'kysely'
import { LIST_REACH_MAX } from '#contract/operator/fields.ts'
import { inPages } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

/** The days from one to the other of which the player has the goods, without those that the game refused. */
export async function selectTaken(
  db: Db,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<Set<string>> {
  const { rows } = await sql<{ day: string }>`
    SELECT c.day::text FROM check_in c JOIN reward r ON r.delivery_id = c.delivery_id
     WHERE c.user_id = ${userId}::bigint AND c.day BETWEEN ${from}::date AND ${to}::date
       AND r.voided_at IS NULL`.execute(db)
  return new Set(rows.map(({ day }) => day))
}

/** The day in Vietnam on which the account was made, or the calendar opened if that was later. */
export async function selectSince(db: Db, userId: string, openedBy: string): Promise<string | undefined> {
  const { rows } = await sql<{ since: string }>`
    SELECT vietnam_day(greatest(u.created_at, s.updated_at))::text AS since
      FROM users u LEFT JOIN settings s ON s.key = ${openedBy} WHERE u.id = ${userId}::bigint`.execute(db)
  return rows[0]?.since
}

type Row = { userId: string; day: string; deliveryId: string }

/** A day that has a row already had a reward that the game refused: its row is that of the new one. */
export async function upsertCheckIn(tx: Tx, { userId, day, deliveryId }: Row): Promise<void> {
  await sql`
    INSERT INTO check_in (user_id, day, delivery_id) VALUES (${userId}::bigint, ${day}::date, ${deliveryId}::uuid)
    ON CONFLICT (user_id, day) DO UPDATE SET delivery_id = EXCLUDED.delivery_id`.execute(tx)
}

/** At most 10,000 are counted of each day. */
export async function selectCounts(
  db: Db,
  { today, days }: { today: string; days: number },
): Promise<{ day: string; players: number }[]> {
  const { rows } = await sql<{ day: string; players: number }>`
    SELECT d.day::text, (SELECT count(*)::integer FROM (
             SELECT FROM check_in WHERE day = d.day LIMIT ${LIST_REACH_MAX}) few) AS players
      FROM (SELECT ${today}::date - back AS day FROM generate_series(0, ${days}::integer - 1) AS back) d
     ORDER BY d.day DESC`.execute(db)
  return rows
}

export const checkInsOfPerson = inPages(
  ({ id }, { after, limit }) => sql`
    SELECT day::text AS cursor, day::text, delivery_id AS delivery FROM check_in
     WHERE user_id = ${id}::bigint AND day > coalesce(${after}::date, '-infinity')
     ORDER BY day LIMIT ${limit}`,
)
