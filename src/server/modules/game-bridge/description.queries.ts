import { type RawBuilder, sql } from 'kysely'
import type { BoardCount } from '#contract/game/board-counts.ts'
import type { GameLimits } from '#contract/game/limits.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { isPast } from '#server/platform/db/due.ts'
import type { GameDescription } from './game-bridge.rules.ts'

/** Whether the game tells when goods are collected, as a value of another statement; null while nobody has asked. */
export const tellsCollection = sql<boolean | null>`(SELECT tells_collection FROM game_description WHERE id)`

/** What a board counts, as the game says, as a value of another statement; null where it does not say it. */
export const countOf = (board: RawBuilder<string | null>) =>
  sql<BoardCount | null>`(SELECT description -> 'counts' -> ${board} FROM game_description WHERE id)`

/** Whether the game has levels at all, as its boards tell; also while it has told nothing. */
export async function isRankedByLevel(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('game_description')
    .select(sql<boolean>`coalesce(description -> 'boards' ? 'level', true)`.as('isRanked'))
    .executeTakeFirst()
  return row?.isRanked ?? true
}

/** What the game said last that it takes as names and passwords; no limits while it has not said any. */
export async function findGameLimits(db: Db): Promise<GameLimits> {
  const row = await db
    .selectFrom('game_description')
    .select(sql<GameLimits | null>`description -> 'limits'`.as('limits'))
    .executeTakeFirst()
  return row?.limits ?? {}
}

/** Whether a game that answers shows sentences of the portal to one player, by what it said within `silentSeconds`. */
export async function takesNotices(db: Db, silentSeconds: number): Promise<boolean> {
  const row = await db
    .selectFrom('game_description')
    .select(sql<boolean>`coalesce((description -> 'notices')::boolean, false)`.as('takes'))
    .where((eb) => eb.not(isPast(sql`read_at`, silentSeconds)))
    .executeTakeFirst()
  return row?.takes ?? false
}

export type StoredDescription = { description: GameDescription | null; isCollectionTold: boolean }

/** What the game calls its classes and heads, as one text. */
export async function findToldNames(tx: Tx): Promise<string | null> {
  const row = await tx
    .selectFrom('game_description')
    .select(sql<string>`concat_ws(' ', description -> 'classes', description -> 'head_names')`.as('names'))
    .executeTakeFirst()
  return row?.names ?? null
}

/** Without a description the last one stays, with the moment at which it was read. */
export async function storeDescription(
  tx: Tx,
  { description, isCollectionTold }: StoredDescription,
): Promise<void> {
  const { collectorSeenAt = null, ...rest } = description ?? {}
  const collection = { tells_collection: isCollectionTold }
  const described = {
    ...collection,
    description: description === null ? null : JSON.stringify(rest),
    collector_seen_at: collectorSeenAt,
    read_at: sql<Date>`clock_timestamp()`,
  }
  await tx
    .insertInto('game_description')
    .values(described)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(description === null ? collection : described),
    )
    .execute()
}

type StoredCollector = { seenAt: Date | null; readAt: Date; isSilent: boolean }

/** The last sign of life of what collects in the game; undefined while the game tells nothing of it. */
export async function findCollector(db: Db, silentSeconds: number): Promise<StoredCollector | undefined> {
  return db
    .selectFrom('game_description')
    .select(['collector_seen_at as seenAt', 'read_at as readAt'])
    .select(isPast(sql`coalesce(collector_seen_at, '-infinity')`, silentSeconds).as('isSilent'))
    .where('id', '=', true)
    .where('tells_collection', '=', true)
    .where('description', 'is not', null)
    .executeTakeFirst()
}
