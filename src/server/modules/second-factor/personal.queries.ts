import { sql } from 'kysely'
import { onOnePage, type PersonalPart } from '#server/domain/personal-part.ts'

export const personalSecondFactor: PersonalPart = {
  lists: {
    second_factor: onOnePage(async (db, { id }) => {
      const { rows } = await sql<Record<string, unknown>>`
        SELECT made_at, confirmed_at,
               (SELECT count(*)::integer FROM recovery_code c WHERE c.user_id = f.user_id AND c.used_at IS NULL)
                 AS recovery_codes_left
          FROM second_factor f WHERE user_id = ${id}::bigint`.execute(db)
      return rows
    }),
  },
  /** The recovery codes go with it. */
  async erase(tx, { id }) {
    await tx.deleteFrom('second_factor').where('user_id', '=', id).execute()
  },
}
