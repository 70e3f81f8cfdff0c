import { sql } from 'kysely'
import type { PersonalPart } from '#server/domain/personal-part.ts'

/** That somebody asked and what came of it stays, without what they were told. An erasure carries out what is open. */
export const personalDeletions: PersonalPart = {
  lists: {
    async deletion_requests(db, { id }, { after, limit }) {
      const { rows } = await sql<{ cursor: string }>`
        SELECT id::text AS cursor, state, asked_at, due_at, given_up, decided_at, message, ended_at
          FROM deletion_request WHERE user_id = ${id}::bigint AND id > coalesce(${after}::bigint, 0)
         ORDER BY id LIMIT ${limit}`.execute(db)
      return rows
    },
  },
  async erase(tx, { id }) {
    await sql`
      UPDATE deletion_request
         SET message = NULL, next_attempt_at = NULL, ended_at = coalesce(ended_at, clock_timestamp()),
             state = CASE WHEN state IN ('waiting', 'approved') THEN 'carried-out' ELSE state END
       WHERE user_id = ${id}::bigint`.execute(tx)
  },
}
