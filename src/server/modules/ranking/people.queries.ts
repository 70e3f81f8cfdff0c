import { sql } from 'kysely'
import { contentChanges } from '#server/domain/content.ts'
import { onOnePage, type Person } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

export async function selectNickname(db: Db | Tx, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('ranking_nickname')
    .select('nickname')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.nickname ?? null
}

/** Throws a unique violation when somebody else is called so. */
export async function upsertNickname(
  tx: Tx,
  userId: string,
  { nickname, key, skeleton }: { nickname: string; key: string; skeleton: string },
): Promise<void> {
  await sql`
    INSERT INTO ranking_nickname (user_id, nickname, nickname_key, skeleton)
    VALUES (${userId}::bigint, ${nickname}, ${key}, ${skeleton})
    ON CONFLICT (user_id) DO UPDATE
       SET nickname = excluded.nickname, nickname_key = excluded.nickname_key, skeleton = excluded.skeleton,
           changed_at = clock_timestamp()
    `.execute(tx)
}

/** With the places in all rankings of recharges. */
export async function deleteNickname(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('ranking_nickname').where('user_id', '=', userId).execute()
  for (const table of ['ranking_entries', 'ranking_day_entries'] as const)
    await tx
      .deleteFrom(table)
      .where('user_id', '=', userId)
      .where('group_id', 'in', (groups) =>
        groups.selectFrom('ranking_groups').select('id').where('source', '=', 'recharge'),
      )
      .execute()
}

export const exportRanking = onOnePage(
  ({ id }) => sql`
    SELECT g.name AS ranking, e.day, e.rank, e.server_id, e.name, e.value, e.class_id, e.level
      FROM (SELECT group_id, NULL::text AS day, rank, server_id, name, value, class_id, level
              FROM ranking_entries WHERE user_id = ${id}::bigint
            UNION ALL
            SELECT group_id, day::text, rank, server_id, name, value, class_id, level
              FROM ranking_day_entries WHERE user_id = ${id}::bigint) e
      JOIN ranking_groups g ON g.id = e.group_id
     ORDER BY g.id, e.day NULLS FIRST, e.rank LIMIT ${EXPORTED_MAX}`,
)

/** A place of each character in every group on each of the stored days comes near it for nobody. */
const EXPORTED_MAX = 10_000

export const exportNickname = onOnePage(
  ({ id }) => sql`
    SELECT nickname, changed_at FROM ranking_nickname WHERE user_id = ${id}::bigint`,
)

/** The places of a person, until the next snapshot is taken without them, and the name they were shown by. */
export async function eraseFromRankings(tx: Tx, { id, username, characters }: Person): Promise<void> {
  await tx.deleteFrom('ranking_nickname').where('user_id', '=', id).execute()
  await tx.deleteFrom('ranking_staging').where('account', '=', username.toLowerCase()).execute()
  for (const table of ['ranking_entries', 'ranking_day_entries'] as const) {
    await tx.deleteFrom(table).where('user_id', '=', id).execute()
    for (const { serverId, name } of characters)
      await tx.deleteFrom(table).where('server_id', '=', serverId).where('name', '=', name).execute()
  }
  await contentChanges(tx, 'ranking')
}
