import { sql } from 'kysely'
import { onOnePage, type PersonalPart } from '#server/domain/personal-part.ts'

/** Notes are the operators' words and may name others: the export says when there were some, and not what they say. */
export const personalNotes: PersonalPart = {
  lists: {
    operator_notes: onOnePage(async (db, { id }) => {
      const { rows } = await sql<Record<string, unknown>>`
        SELECT created_at FROM player_note WHERE user_id = ${id}::bigint ORDER BY id`.execute(db)
      return rows
    }),
  },
  async erase(tx, { id }) {
    await tx.deleteFrom('player_note').where('user_id', '=', id).execute()
  },
}
