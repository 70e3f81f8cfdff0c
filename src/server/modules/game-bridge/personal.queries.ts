import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { onOnePage, type Person, type PersonalPart } from '#server/domain/personal-part.ts'

/** Every character the portal knows of a player, on all servers. */
export async function listCharactersOf(db: Db | Tx, userId: string): Promise<Person['characters']> {
  return db
    .selectFrom('game_character')
    .select(['id', 'server_id as serverId', 'name'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
}

/** A real game keeps its own records; of the embedded one the characters lose account and name. */
export const personalCharacters: PersonalPart = {
  lists: {
    characters: onOnePage(async (db, { id }) => {
      const { rows } = await sql<Record<string, unknown>>`
        SELECT c.id, c.server_id, c.name, c.class_id, c.level, f.fetched_at
          FROM game_character c LEFT JOIN game_character_fetch f ON f.user_id = c.user_id
         WHERE c.user_id = ${id}::bigint ORDER BY c.id`.execute(db)
      return rows
    }),
  },
  async erase(tx, { id, username, alias }) {
    await tx.deleteFrom('game_character').where('user_id', '=', id).execute()
    await tx.deleteFrom('game_character_fetch').where('user_id', '=', id).execute()
    await tx
      .updateTable('game.characters')
      .set({ account: alias, name: sql<string>`${alias}::text || '-' || id` })
      .where('account', '=', username.toLowerCase())
      .execute()
  },
}
