import { contentChanges } from '#server/domain/content.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { bracketOf, winnerOf, type Result } from './bracket.rules.ts'
import {
  insertMatches,
  insertTeams,
  insertTournament,
  updateWinner,
  type NewTournament,
} from './tournaments.queries.ts'

export type ImportedTournament = NewTournament & {
  /** Their names, in the order of the draw where there was one. */
  teams: readonly string[]
  /** What was played so far, round by round; null where nothing is drawn yet. */
  results: readonly (readonly (Result | null)[])[] | null
}

/** Brings tournaments with what was played of them into an empty installation. */
export async function importTournaments(tx: Tx, tournaments: readonly ImportedTournament[]): Promise<void> {
  for (const { teams, results, ...tournament } of tournaments) {
    const id = await insertTournament(tx, tournament)
    const teamIds = teams.length === 0 ? [] : await insertTeams(tx, id, teams)
    if (results === null) continue
    invariant(teams.length === 2 ** tournament.max_round, 'an imported draw is full')
    const matches = bracketOf(tournament.max_round, results)
    const teamOf = (place: number | null) => (place === null ? null : (teamIds[place] ?? null))
    await insertMatches(
      tx,
      matches.map((match) => ({
        tournament_id: id,
        round: match.round,
        position: match.position,
        team1_id: teamOf(match.sides[0]),
        team2_id: teamOf(match.sides[1]),
        team1_win_count: match.result?.wins[0] ?? 0,
        team2_win_count: match.result?.wins[1] ?? 0,
        winning_team_id: teamOf(winnerOf(match)),
      })),
    )
    const final = matches.at(-1)
    const champion = final === undefined ? null : teamOf(winnerOf(final))
    if (champion !== null) await updateWinner(tx, id, champion)
  }
  await contentChanges(tx, 'tournaments')
}
