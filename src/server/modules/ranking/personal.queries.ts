import { sql } from 'kysely'
import { onOnePage, type PersonalPart } from '#server/domain/personal-part.ts'
import { contentChanges } from '#server/domain/content.ts'

/** The places of a person, until the next snapshot is taken without them. */
export const personalRanking: PersonalPart = {
  lists: {
    ranking: onOnePage(async (db, { id }) => {
      const { rows } = await sql<Record<string, unknown>>`
        SELECT g.name AS ranking, e.rank, e.server_id, e.name, e.value, e.class_id, e.level
          FROM ranking_entries e JOIN ranking_groups g ON g.id = e.group_id
         WHERE e.user_id = ${id}::bigint ORDER BY g.id, e.rank`.execute(db)
      return rows
    }),
  },
  async erase(tx, { id, characters }) {
    await tx.deleteFrom('ranking_entries').where('user_id', '=', id).execute()
    for (const { serverId, name } of characters)
      await tx
        .deleteFrom('ranking_entries')
        .where('server_id', '=', serverId)
        .where('name', '=', name)
        .execute()
    await contentChanges(tx, 'ranking')
  },
}
