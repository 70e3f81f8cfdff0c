import { contentChanges } from '#server/domain/content.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { type BracketMatch, newBracket, stateOf, withResult } from '../bracket.rules.ts'
import { insertMatches } from '../matches.queries.ts'
import { insertTeams } from '../teams.queries.ts'
import { insertTournament, type NewTournament, updateTournament } from '../tournaments.queries.ts'

/** The games that each side won; the third figure is the winner where the other side was absent. */
type PlantedResult = readonly [number, number] | readonly [number, number, 1 | 2]

export type PlantedTournament = NewTournament & {
  /** Their names, in the order of the draw where there was one: neighbours meet first. */
  teams: readonly string[]
  /** What was played so far, round by round; null where nothing is drawn yet. */
  results: readonly (readonly (PlantedResult | null)[])[] | null
}

/** Tournaments as versions left them that drew without a list: with the bracket that a test wants. */
export async function plantTournaments(tx: Tx, tournaments: readonly PlantedTournament[]): Promise<void> {
  for (const { teams, results, ...tournament } of tournaments) {
    const id = await insertTournament(tx, tournament)
    const teamIds = teams.length === 0 ? [] : await insertTeams(tx, id, teams)
    if (results === null) continue
    invariant(teams.length === 2 ** tournament.max_round, 'a planted draw is full')
    const matches = playedBracket(tournament.max_round, teamIds, results)
    await insertMatches(
      tx,
      id,
      matches.map((match) => ({ round: match.round, position: match.position, ...stateOf(match) })),
    )
    const champion = matches.at(-1)?.winner ?? null
    if (champion !== null) {
      await updateTournament(tx, id, {
        winning_team_id: champion,
        finished_at: tournament.competition_start_at,
      })
    }
  }
  await contentChanges(tx, 'tournaments')
}

function playedBracket(
  maxRound: number,
  teams: readonly string[],
  results: NonNullable<PlantedTournament['results']>,
): BracketMatch[] {
  const pairs = Array.from(
    { length: teams.length / 2 },
    (_, index) => [teams[2 * index] ?? null, teams[2 * index + 1] ?? null] as const,
  )
  let matches = newBracket(maxRound, pairs)
  for (const [roundIndex, round] of results.entries()) {
    for (const [index, result] of round.entries()) {
      if (result === null) continue
      const [one, two, winner = one > two ? 1 : 2] = result
      matches = withResult(matches, maxRound, {
        place: { round: roundIndex + 1, position: index + 1 },
        result: { games: [one, two], absent: one === two ? [winner === 1 ? 2 : 1] : [] },
        outcome: { winner, isVoid: false },
      })
    }
  }
  return matches
}
