import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { GameCharacter } from './game-bridge.rules.ts'

export type KnownCharacter = GameCharacter & { serverId: string }

const characters = (db: Db | Tx, userId: string) =>
  db
    .selectFrom('game_character')
    .select(['id', 'server_id as serverId', 'name', 'head', 'class_id as classId', 'level'])
    .where('user_id', '=', userId)

/** The strongest first, as a player looks for them. */
export async function selectKnownCharacters(db: Db, userId: string): Promise<KnownCharacter[]> {
  return characters(db, userId).orderBy('level', 'desc').orderBy('id').execute()
}

/** One character of a player, null when it is none of theirs, as a value of another statement. */
export const knownCharacter = (userId: string, characterId: string) =>
  sql<KnownCharacter | null>`(
    SELECT json_build_object('id', id, 'serverId', server_id, 'name', name, 'head', head, 'classId', class_id, 'level', level)
      FROM game_character WHERE user_id = ${userId} AND id = ${characterId})`

/** What a player is known by in the game. */
export type MainCharacter = { name: string; head: number }

/** The strongest character of a player, null when none is known, as a value of another statement. */
export const mainCharacter = (userId: RawBuilder<string>) =>
  sql<MainCharacter | null>`(
    SELECT json_build_object('name', name, 'head', head) FROM game_character
     WHERE user_id = ${userId} ORDER BY level DESC, id LIMIT 1)`

export type Fetch = { fetchedAt: Date; isStale: boolean }

export async function findFetch(db: Db, userId: string, staleSeconds: number): Promise<Fetch | undefined> {
  return db
    .selectFrom('game_character_fetch')
    .select([
      'fetched_at as fetchedAt',
      sql<boolean>`fetched_at < now() - make_interval(secs => ${staleSeconds})`.as('isStale'),
    ])
    .where('user_id', '=', userId)
    .executeTakeFirst()
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
  keptIds: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('game_character')
    .where('user_id', '=', userId)
    .where(sql<boolean>`id <> ALL(${[...keptIds]}::text[])`)
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
