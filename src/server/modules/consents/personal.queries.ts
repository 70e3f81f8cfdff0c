import { sql } from 'kysely'
import { eraseNothing, type PersonalPart } from '#server/domain/personal-part.ts'

export const personalConsents: PersonalPart = {
  lists: {
    async consents(db, { id }, { after, limit }) {
      const { rows } = await sql<{ cursor: string }>`
        SELECT id::text AS cursor, subject, version, is_given, source, at FROM consent
         WHERE user_id = ${id}::bigint AND id > coalesce(${after}::bigint, 0) ORDER BY id LIMIT ${limit}`.execute(
        db,
      )
      return rows
    },
  },
  // That the account agreed to a version stays as proof, as its orders do; it names nobody.
  erase: eraseNothing,
}
