import type { Match, Tournament } from '#contract/tournaments.ts'
import { paths } from '#contract/pages.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { cachedContent } from '#server/domain/content.ts'
import { notFound } from '#server/platform/values/errors.ts'
import {
  findTournament,
  listMatchRows,
  listTournamentIds,
  listTournamentRows,
  type MatchRow,
  type TournamentRow,
} from './tournaments.queries.ts'

/** The home page shows one of them. */
export const listTournaments = cachedContent('tournaments', async (db): Promise<Tournament[]> =>
  (await listTournamentRows(db)).map(toTournament),
)

export async function getBracket(db: Db, id: string): Promise<{ tournament: Tournament; matches: Match[] }> {
  const row = await requireTournament(db, id)
  return { tournament: toTournament(row), matches: (await listMatchRows(db, row.id)).map(toMatch) }
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

export function toTournament(row: TournamentRow): Tournament {
  return {
    ...row,
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
