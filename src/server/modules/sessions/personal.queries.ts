import { sql } from 'kysely'
import { onOnePage, type PersonalPart } from '#server/domain/personal-part.ts'
import { endSessionsOf } from './sessions.queries.ts'

export const personalSessions: PersonalPart = {
  lists: {
    sessions: onOnePage(async (db, { id }) => {
      const { rows } = await sql<Record<string, unknown>>`
        SELECT kind, created_at, last_used_at, expires_at, user_agent, place FROM sessions
         WHERE user_id = ${id}::bigint ORDER BY created_at`.execute(db)
      return rows
    }),
    async sign_ins(db, { id }, { after, limit }) {
      const { rows } = await sql<{ cursor: string }>`
        SELECT id::text AS cursor, at, outcome, user_agent, place, is_new_device FROM sign_in
         WHERE user_id = ${id}::bigint AND id > coalesce(${after}::bigint, 0) ORDER BY id LIMIT ${limit}`.execute(
        db,
      )
      return rows
    },
    known_devices: onOnePage(async (db, { id }) => {
      const { rows } = await sql<Record<string, unknown>>`
        SELECT kind, first_seen_at, last_seen_at FROM known_device
         WHERE user_id = ${id}::bigint ORDER BY first_seen_at`.execute(db)
      return rows
    }),
  },
  async erase(tx, { id }) {
    await endSessionsOf(tx, { userId: id })
    await tx.deleteFrom('sign_in').where('user_id', '=', id).execute()
    await tx.deleteFrom('known_device').where('user_id', '=', id).execute()
  },
}
