import { sql } from 'kysely'
import type { Tx } from '#server/platform/db/transaction.ts'
import { eraseNothing, type Person, type PersonalPart } from '#server/domain/personal-part.ts'

/**
 * What the trail says of a person. Its rows stay, since they are chained; their personal parts are erased at the very end,
 * by `erasePersonalOf`, when the trail has its row of the erasure.
 */
export const personalTrail: PersonalPart = {
  lists: {
    async acts_of_the_player(db, { id }, { after, limit }) {
      const { rows } = await sql<{ cursor: string }>`
        SELECT a.seq::text AS cursor, a.at, a.action, p.content
          FROM audit_log a LEFT JOIN audit_personal p ON p.seq = a.seq
         WHERE a.actor_id = ${id}::bigint AND a.actor_kind = 'user' AND a.seq > coalesce(${after}::bigint, 0)
         ORDER BY a.seq LIMIT ${limit}`.execute(db)
      return rows
    },
    async acts_on_the_account(db, { id }, { after, limit }) {
      const { rows } = await sql<{ cursor: string }>`
        SELECT seq::text AS cursor, at, action FROM audit_log
         WHERE subject_type = 'user' AND subject_id = ${id} AND actor_kind <> 'user'
           AND seq > coalesce(${after}::bigint, 0)
         ORDER BY seq LIMIT ${limit}`.execute(db)
      return rows
    },
  },
  erase: eraseNothing,
}

/** The last statement of an erasure. */
export async function erasePersonalOf(tx: Tx, { id, username, characters }: Person): Promise<void> {
  const names = [username, ...characters.map(({ name }) => name)]
  await sql`SELECT audit_erase_personal_of(${id}::bigint, ${names}::text[])`.execute(tx)
}
