import type { Match } from '#contract/tournaments.ts'
import type { Db } from '#server/platform/db/database.ts'

/** A tournament that players can see, past the console; answers its id. */
export async function aTournament({ db }: { db: Db }, name: string): Promise<string> {
  const { id } = await db
    .insertInto('tournaments')
    .values({
      name,
      registration_start_at: '2026-01-01',
      competition_start_at: '2026-01-02',
      mode: 0,
      type: 1,
      max_round: 3,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A match that nobody has called yet, between two teams of its own. */
export const aMatch = (id: string, change: Partial<Match> = {}): Match => ({
  id,
  round: 1,
  position: Number(id),
  team1_id: `${id}1`,
  team2_id: `${id}2`,
  team_one: { team_name: `Đội ${id}1` },
  team_two: { team_name: `Đội ${id}2` },
  team1_win_count: 0,
  team2_win_count: 0,
  winning_team_id: null,
  absent_side: null,
  is_void: false,
  called_at: null,
  team1_present: false,
  team2_present: false,
  ...change,
})
