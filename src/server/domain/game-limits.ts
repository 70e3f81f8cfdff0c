import { sql } from 'kysely'
import type { GameLimits } from '#contract/game/limits.ts'
import type { Db } from '#server/platform/db/database.ts'

/** What the game said last that it takes as names and passwords; no limits while it has not said any. */
export async function findGameLimits(db: Db): Promise<GameLimits> {
  const { rows } = await sql<{ limits: GameLimits | null }>`
    SELECT description -> 'limits' AS limits FROM game_description`.execute(db)
  return rows[0]?.limits ?? {}
}
