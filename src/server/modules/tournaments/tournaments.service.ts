import { paths } from '#contract/pages.ts'
import type { Match, Tournament } from '#contract/tournaments.ts'
import { contentChanges, cachedContent } from '#server/domain/content.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { GameNames } from '#server/domain/game-names.ts'
import type { PersonalPart } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { notFound, invariant } from '#server/platform/values/errors.ts'
import { bracketOf, winnerOf, type Result } from './bracket.rules.ts'
import {
  eraseMemberships,
  exportTeams,
  findTournament,
  listMatchRows,
  listTournamentIds,
  listTournamentRows,
  type MatchRow,
  type TournamentRow,
  insertMatches,
  insertTeams,
  insertTournament,
  updateWinner,
  type NewTournament,
} from './tournaments.queries.ts'

/** Teams know their members by the characters' names alone. */
export const personalTeams: PersonalPart = { lists: { tournaments: exportTeams }, erase: eraseMemberships }

export async function findTournamentName(db: Db, id: string): Promise<string | undefined> {
  return (await findTournament(db, id))?.name
}

const listedRows = cachedContent('tournaments', (db: Db | Tx) => listTournamentRows(db))

/** The home page shows one of them. */
export const listTournaments = async (db: Db, names: GameNames): Promise<Tournament[]> =>
  (await listedRows(db)).map((row) => toTournament(row, names))

export async function getBracket(
  db: Db,
  id: string,
  names: GameNames,
): Promise<{ tournament: Tournament; matches: Match[] }> {
  const row = await requireTournament(db, id)
  return { tournament: toTournament(row, names), matches: (await listMatchRows(db, row.id)).map(toMatch) }
}

/** Throws NOT_FOUND, also for what cannot be an id. */
export async function requireTournament(db: Db, id: string): Promise<TournamentRow> {
  const row = /^[1-9]\d{0,17}$/.test(id) ? await findTournament(db, id) : undefined
  if (row === undefined) throw notFound()
  return row
}

/** The pages of the tournaments that are listed, for the site's map. */
export async function listTournamentPaths(db: Db): Promise<string[]> {
  return (await listTournamentIds(db)).map(paths.tournament)
}

export function toTournament(row: TournamentRow, names: GameNames): Tournament {
  return {
    ...row,
    class_names: row.allowed_classes.map((id) => names.classOf(id)?.name ?? String(id)),
    registration_start_at: row.registration_start_at.toISOString(),
    competition_start_at: row.competition_start_at.toISOString(),
    cancelled_at: row.cancelled_at?.toISOString() ?? null,
    fee: parseCoins(row.fee),
    team_count: Number(row.team_count),
  }
}

const named = (name: string | null) => (name === null ? null : { team_name: name })

export function toMatch({ team1_name, team2_name, ...row }: MatchRow): Match {
  return { ...row, team_one: named(team1_name), team_two: named(team2_name) }
}

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
