import type { AnswerOf, QueryOf } from '#contract/endpoint.ts'
import { maxRoundOf } from '#contract/tournament-rules.ts'
import { standingAfter } from '#contract/tournament-standing.ts'
import type { listOwnResults, TournamentResult } from '#contract/tournaments.ts'
import type { Db } from '#server/platform/db/database.ts'
import { pageOf } from '#server/platform/http/list.ts'
import { countResults, listResults, type ResultRow, type Whose } from './results.queries.ts'

/** The tournaments in which somebody has played, with where their team stands. */
export async function readResults(
  db: Db,
  whose: Whose,
  { now, query }: { now: Date; query: QueryOf<typeof listOwnResults> },
): Promise<AnswerOf<typeof listOwnResults>> {
  const { limit, offset, of } = pageOf(query)
  const total = await countResults(db, whose, now)
  const rows = total === 0 ? [] : await listResults(db, whose, { limit, offset, now })
  return of(total, rows.map(toResult))
}

function toResult({
  first_round,
  winning_team_id,
  is_void,
  won,
  lost,
  competition_start_at,
  ...shown
}: ResultRow): TournamentResult {
  const max_round = maxRoundOf(shown.max_round, Number(first_round))
  const isWon = winning_team_id === shown.team_id
  const last = { round: shown.round, isDecided: winning_team_id !== null, isWon }
  return {
    ...shown,
    max_round,
    competition_start_at: competition_start_at.toISOString(),
    // A match that nobody won leaves nobody in.
    standing: is_void ? 'out' : standingAfter(last, max_round),
    won: Number(won),
    lost: Number(lost),
  }
}
