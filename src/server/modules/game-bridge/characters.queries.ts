import { sql, type RawBuilder } from 'kysely'
import { onOnePage, type Person } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isPast } from '#server/platform/db/due.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { GameCharacter, KnownCharacter, MainCharacter } from './game-bridge.rules.ts'

const characters = (db: Db | Tx, userId: string) =>
  db
    .selectFrom('game_character')
    .select(['id', 'server_id as serverId', 'name', 'head', 'class_id as classId', 'level'])
    .where('user_id', '=', userId)

/** The strongest first. */
export async function selectKnownCharacters(db: Db | Tx, userId: string): Promise<KnownCharacter[]> {
  return characters(db, userId).orderBy('level', 'desc').orderBy('id').execute()
}

/** One character of a player, null when it is none of theirs, as a value of another statement. */
export const knownCharacter = (userId: string, characterId: string) =>
  sql<KnownCharacter | null>`(
    SELECT json_build_object('id', id, 'serverId', server_id, 'name', name, 'head', head, 'classId', class_id, 'level', level)
      FROM game_character WHERE user_id = ${userId} AND id = ${characterId})`

/** The strongest character of a player, null when none is known, as a value of another statement. */
export const mainCharacter = (userId: RawBuilder<string>) =>
  sql<MainCharacter | null>`(
    SELECT json_build_object('name', name, 'head', head) FROM game_character
     WHERE user_id = ${userId} ORDER BY level DESC, id LIMIT 1)`

export type Fetch = { fetchedAt: Date; isEmpty: boolean; isStale: boolean }

/** When the list of a player was fetched; it is stale after `seconds`, one without a character after `emptySeconds`. */
export async function findFetch(
  db: Db,
  userId: string,
  { seconds, emptySeconds }: { seconds: number; emptySeconds: number },
): Promise<Fetch | undefined> {
  const { rows } = await sql<Fetch>`
    SELECT f.fetched_at AS "fetchedAt", list."isEmpty",
           CASE WHEN list."isEmpty" THEN ${isPast(sql`f.fetched_at`, emptySeconds)}
                ELSE ${isPast(sql`f.fetched_at`, seconds)} END AS "isStale"
      FROM game_character_fetch f,
           LATERAL (SELECT NOT EXISTS (
             SELECT FROM game_character c WHERE c.user_id = f.user_id) AS "isEmpty") list
     WHERE f.user_id = ${userId}`.execute(db)
  return rows[0]
}

/** Its row is also the lock under which two processes that fetched the same player take turns. */
export async function upsertFetch(tx: Tx, userId: string): Promise<void> {
  await tx
    .insertInto('game_character_fetch')
    .values({ user_id: userId, fetched_at: sql`clock_timestamp()` })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ fetched_at: sql`clock_timestamp()` }))
    .execute()
}

export async function deleteOtherCharacters(
  tx: Tx,
  userId: string,
  remainingIds: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('game_character')
    .where('user_id', '=', userId)
    .where(sql<boolean>`id <> ALL(${[...remainingIds]}::text[])`)
    .execute()
}

export async function upsertCharacters(
  tx: Tx,
  player: { id: string; serverId: string },
  fetched: readonly GameCharacter[],
): Promise<void> {
  await tx
    .insertInto('game_character')
    .values(
      fetched.map(({ classId, ...character }) => ({
        ...character,
        class_id: classId,
        user_id: player.id,
        server_id: player.serverId,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'id']).doUpdateSet((row) => ({
        server_id: row.ref('excluded.server_id'),
        name: row.ref('excluded.name'),
        head: row.ref('excluded.head'),
        class_id: row.ref('excluded.class_id'),
        level: row.ref('excluded.level'),
      })),
    )
    .execute()
}

export const charactersOfPerson = onOnePage(
  ({ id }) => sql`
    SELECT c.id, c.server_id, c.name, c.class_id, c.level, f.fetched_at
      FROM game_character c LEFT JOIN game_character_fetch f ON f.user_id = c.user_id
     WHERE c.user_id = ${id}::bigint ORDER BY c.id`,
)

export async function eraseCharactersOf(tx: Tx, { id, username, alias }: Person): Promise<void> {
  await tx.deleteFrom('game_character').where('user_id', '=', id).execute()
  await tx.deleteFrom('game_character_fetch').where('user_id', '=', id).execute()
  await tx
    .updateTable('game.characters')
    .set({ account: alias, name: sql<string>`${alias}::text || '-' || id` })
    .where('account', '=', username.toLowerCase())
    .execute()
}
