import { sql, type RawBuilder } from 'kysely'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { getOwnHome } from '#contract/home/own-home.ts'
import type { Db } from '#server/platform/db/database.ts'

type Answer = AnswerOf<typeof getOwnHome>
type Known<Key extends keyof Answer> = NonNullable<Answer[Key]>

export type OwnHomeRow = {
  character: Omit<Known<'character'>, 'head_name'> | null
  order: Answer['order']
  deliveries: Answer['deliveries']
  match: Answer['match']
  game: { at: string; servers: { id: string; name: string; online?: number }[] } | null
}

/** The owner of what is read, for the values that other modules add. */
export const ownerId = sql<string>`own.id`

/** Each part reads a few rows of its own index, in one statement. */
export async function selectOwnHome(
  db: Db,
  userId: string,
  match: RawBuilder<OwnHomeRow['match']>,
): Promise<OwnHomeRow> {
  const { rows } = await sql<OwnHomeRow>`
    WITH own AS (SELECT ${userId}::bigint AS id)
    SELECT
      (SELECT json_build_object('name', c.name, 'head', c.head, 'level', c.level, 'place', (
          SELECT json_build_object('ranking', g.name, 'rank', e.rank, 'previous_rank', (
              SELECT d.rank FROM ranking_day_entries d
               WHERE d.user_id = own.id AND d.group_id = g.id AND d.server_id = e.server_id AND d.name = e.name
                 AND d.day = (now() AT TIME ZONE 'Asia/Ho_Chi_Minh')::date - 1
               LIMIT 1))
            FROM ranking_groups g
            JOIN ranking_entries e ON e.group_id = g.id AND e.user_id = own.id
           WHERE g.source = 'game' AND e.server_id = c.server_id AND e.name = c.name
           ORDER BY g.position, g.id LIMIT 1))
         FROM game_character c WHERE c.user_id = own.id ORDER BY c.level DESC, c.id LIMIT 1) AS character,
      (SELECT json_build_object('code', o.code, 'amount', o.amount)
         FROM payment_order o
        WHERE o.user_id = own.id AND o.status = 'pending' AND o.expires_at > statement_timestamp()
        ORDER BY o.id DESC LIMIT 1) AS "order",
      (SELECT json_build_object('open', count(*), 'newest', (array_agg(
                json_build_object('id', d.id, 'character_name', d.character_name) ORDER BY d.created_at DESC))[1])
         FROM (SELECT id, character_name, settled_at, created_at FROM delivery
                WHERE user_id = own.id ORDER BY created_at DESC, id DESC LIMIT 20) d
        WHERE d.settled_at IS NULL) AS deliveries,
      ${match} AS match,
      (SELECT json_build_object('at', g.read_at, 'servers', g.description -> 'servers')
         FROM game_description g
        WHERE jsonb_array_length(g.description -> 'servers') > 0 AND g.read_at > now() - interval '1 hour') AS game
    FROM own`.execute(db)
  return rows[0] as OwnHomeRow
}
