import { sql } from 'kysely'
import { onOnePage, type PersonalPart } from '#server/domain/personal-part.ts'

/** Few rows, of operators alone; what somebody was looked for by may stand in another operator's filter. */
export const personalFilters: PersonalPart = {
  lists: {
    saved_filters: onOnePage(async (db, { id }) => {
      const { rows } = await sql<Record<string, unknown>>`
        SELECT list, name, query FROM saved_filter WHERE user_id = ${id}::bigint ORDER BY id`.execute(db)
      return rows
    }),
  },
  async erase(tx, { id, username, email, phone, characters }) {
    const names = [username, email, phone, ...characters.map(({ name }) => name)].filter(
      (name) => name !== null,
    )
    await sql`
      DELETE FROM saved_filter WHERE user_id = ${id}::bigint
          OR EXISTS (SELECT FROM unnest(${names}::text[]) AS known
                      WHERE strpos(lower(name || query::text), lower(known)) > 0)`.execute(tx)
  },
}
