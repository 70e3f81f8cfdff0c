import { type Insertable, sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { DB } from '#server/platform/db/schema.gen.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

/** More than the largest bracket has (2^12 teams); a bound, not a page. */
const MATCHES_MAX = 8_192

export type MatchRow = {
  id: string
  round: number
  position: number
  team1_id: string | null
  team2_id: string | null
  team1_name: string | null
  team2_name: string | null
  team1_win_count: number
  team2_win_count: number
  winning_team_id: string | null
  absent_side: number | null
  is_void: boolean
  called_at: Date | null
  team1_present: boolean
  team2_present: boolean
  updated_at: Date
}

export async function listMatchRows(db: Db | Tx, tournamentId: string): Promise<MatchRow[]> {
  return db
    .selectFrom('matches')
    .leftJoin('teams as one', 'one.id', 'matches.team1_id')
    .leftJoin('teams as two', 'two.id', 'matches.team2_id')
    .select([
      'matches.id',
      'round',
      'position',
      'team1_id',
      'team2_id',
      'one.name as team1_name',
      'two.name as team2_name',
      'team1_win_count',
      'team2_win_count',
      'winning_team_id',
      'absent_side',
      'is_void',
      'called_at',
      'team1_present',
      'team2_present',
      'matches.updated_at',
    ])
    .where('matches.tournament_id', '=', tournamentId)
    .orderBy('round')
    .orderBy('position')
    .limit(MATCHES_MAX)
    .execute()
}

export async function insertMatches(tx: Tx, matches: readonly Insertable<DB['matches']>[]): Promise<void> {
  await tx.insertInto('matches').values(matches).execute()
}

/** What an act changes of a match. */
export type MatchState = Pick<
  MatchRow,
  | 'team1_id'
  | 'team2_id'
  | 'team1_win_count'
  | 'team2_win_count'
  | 'winning_team_id'
  | 'absent_side'
  | 'is_void'
  | 'called_at'
  | 'team1_present'
  | 'team2_present'
>

/** Later than the last one by a millisecond at least, which is as exact as clients get it. */
const NOW = sql<Date>`greatest(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')`

export async function updateMatch(tx: Tx, id: string, state: Partial<MatchState>): Promise<void> {
  await tx
    .updateTable('matches')
    .set({ ...state, updated_at: NOW })
    .where('id', '=', id)
    .execute()
}
