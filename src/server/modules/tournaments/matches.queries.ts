import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
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

export type NewMatch = Pick<MatchRow, 'round' | 'position'> &
  Omit<MatchState, 'called_at' | 'team1_present' | 'team2_present'>

/** As one value: the largest bracket has more of them than a statement has parameters. */
export async function insertMatches(
  tx: Tx,
  tournamentId: string,
  matches: readonly NewMatch[],
): Promise<void> {
  await sql`
    INSERT INTO matches (tournament_id, round, position, team1_id, team2_id, team1_win_count, team2_win_count,
                         winning_team_id, absent_side, is_void)
    SELECT ${tournamentId}::bigint, round, position, team1_id, team2_id, team1_win_count, team2_win_count,
           winning_team_id, absent_side, is_void
      FROM jsonb_populate_recordset(NULL::matches, ${JSON.stringify(matches)}::jsonb)`.execute(tx)
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

export type MatchChange = { id: string } & Partial<MatchState>

export const updateMatch = (tx: Tx, change: MatchChange): Promise<void> => updateMatches(tx, [change])

/**
 * What a change does not name stays. `updated_at` is later than the last one by a millisecond at least, which is as exact as
 * clients get it.
 */
export async function updateMatches(tx: Tx, changes: readonly MatchChange[]): Promise<void> {
  if (changes.length === 0) return
  await sql`
    UPDATE matches m
       SET team1_id = after.team1_id, team2_id = after.team2_id, team1_win_count = after.team1_win_count,
           team2_win_count = after.team2_win_count, winning_team_id = after.winning_team_id,
           absent_side = after.absent_side, is_void = after.is_void, called_at = after.called_at,
           team1_present = after.team1_present, team2_present = after.team2_present,
           updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), m.updated_at + interval '1 millisecond')
      FROM (SELECT (jsonb_populate_record(before, change)).*
              FROM jsonb_array_elements(${JSON.stringify(changes)}::jsonb) change
              JOIN matches before ON before.id = (change ->> 'id')::bigint) after
     WHERE m.id = after.id`.execute(tx)
}
