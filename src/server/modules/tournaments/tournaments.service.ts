import { roundTime } from '#contract/draw-proof.ts'
import { paths } from '#contract/pages.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { drawPublicAt, revealedTeams } from '#contract/tournament-rules.ts'
import type { getBracket as getBracketCall, Match, Tournament } from '#contract/tournaments.ts'
import { cachedContent } from '#server/domain/content.ts'
import { parseCoins } from '#server/domain/coins.ts'
import { GameNames } from '#server/domain/game-names.ts'
import type { PersonalPart } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { orNotFound } from '#server/platform/values/errors.ts'
import { exportFollowed } from './notices/tournament-notices.queries.ts'
import { findLastNumber } from './events.queries.ts'
import { listMatchRows, type MatchRow } from './matches.queries.ts'
import {
  countOpenCharges,
  eraseMemberships,
  exportCharges,
  exportTeams,
  listDrawnOrder,
} from './teams.queries.ts'
import {
  findTournament,
  listTournamentIds,
  listTournamentRows,
  type TournamentRow,
} from './tournaments.queries.ts'

export const personalTeams: PersonalPart = {
  lists: { tournaments: exportTeams, tournament_fees: exportCharges, followed_tournaments: exportFollowed },
  erase: eraseMemberships,
  open: { 'tournament-fee': (tx, { id }) => countOpenCharges(tx, id) },
}

export async function findTournamentName(db: Db, id: string): Promise<string | undefined> {
  return (await findTournament(db, id))?.name
}

const listedRows = cachedContent('tournaments', (db: Db | Tx) => listTournamentRows(db))

/** The home page shows one of them. */
export const listTournaments = async (db: Db, names: GameNames): Promise<Tournament[]> =>
  (await listedRows(db)).map((row) => toTournament(row, names))

/** Before a draw is wholly public, only the teams that are shown so far stand in it. */
export async function getBracket(
  db: Db,
  id: string,
  { names, now }: { names: GameNames; now: Date },
): Promise<AnswerOf<typeof getBracketCall>> {
  const row = await requireTournament(db, id)
  // Read first: an event that comes in between is sent again, and none is missed.
  const event = await findLastNumber(db, row.id)
  const matches = (await listMatchRows(db, row.id)).map(toMatch)
  const reveal = revealOf(row)
  const publicAt = drawPublicAt(reveal)
  const isPublic = row.drawn_at === null || (publicAt !== null && publicAt <= now)
  if (isPublic) return { tournament: toTournament(row, names), matches, event }
  const shown = new Set((await listDrawnOrder(db, row.id)).slice(0, revealedTeams(reveal, now)))
  const first = matches[0]?.round
  return {
    tournament: toTournament(row, names),
    matches: matches.map((match) => onlyOf(match, match.round === first ? shown : new Set())),
    event,
  }
}

/** A match with those of its sides that may be seen, not yet played. */
function onlyOf(match: Match, shown: ReadonlySet<string>): Match {
  const sees = (id: string | null) => id !== null && shown.has(id)
  const [one, two] = [sees(match.team1_id), sees(match.team2_id)]
  return {
    ...match,
    team1_id: one ? match.team1_id : null,
    team_one: one ? match.team_one : null,
    team2_id: two ? match.team2_id : null,
    team_two: two ? match.team_two : null,
    winning_team_id: null,
    is_void: false,
  }
}

const NO_NAMES = new GameNames([])

/** For rules, which need no names of classes. */
export const toRules = (row: TournamentRow): Tournament => toTournament(row, NO_NAMES)

export const revealOf = (row: TournamentRow) => ({
  mode: row.mode,
  teams: row.drawn_count ?? 0,
  revealed: row.revealed,
  revealFrom: row.reveal_from,
  drawnAt: row.drawn_at,
})

/** Throws NOT_FOUND, also for what cannot be an id. */
export async function requireTournament(db: Db, id: string): Promise<TournamentRow> {
  return orNotFound(/^[1-9]\d{0,17}$/.test(id) ? await findTournament(db, id) : undefined)
}

/** A value that statements of other modules read. */
export { selectNextMatch as nextMatchOf } from './tournaments.queries.ts'

/** The pages of the tournaments that are listed, for the site's map. */
export async function listTournamentPaths(db: Db): Promise<string[]> {
  return (await listTournamentIds(db)).map(paths.tournament)
}

const iso = (moment: Date | null) => moment?.toISOString() ?? null

export function toTournament(row: TournamentRow, names: GameNames): Tournament {
  const {
    updated_at: _updatedAt,
    draw_seed: _seed,
    drawn_count: _count,
    revealed: _revealed,
    reveal_from: _revealFrom,
    draw_chain,
    draw_round,
    ...shown
  } = row
  return {
    ...shown,
    class_names: row.allowed_classes.map((id) => names.classOf(id)?.name ?? String(id)),
    registration_start_at: row.registration_start_at.toISOString(),
    competition_start_at: row.competition_start_at.toISOString(),
    opened_at: iso(row.opened_at),
    closed_at: iso(row.closed_at),
    draw_round: draw_round === null ? null : Number(draw_round),
    draw_from:
      draw_round === null || draw_chain === null ? null : iso(roundTime(draw_chain, Number(draw_round))),
    drawn_at: iso(row.drawn_at),
    draw_public_at: iso(drawPublicAt(revealOf(row))),
    paused_at: iso(row.paused_at),
    finished_at: iso(row.finished_at),
    cancelled_at: iso(row.cancelled_at),
    fee: parseCoins(row.fee),
    team_count: Number(row.team_count),
  }
}

const named = (name: string | null) => (name === null ? null : { team_name: name })

export function toMatch({ team1_name, team2_name, ...row }: MatchRow): Match {
  const { updated_at: _updatedAt, ...shown } = row
  return {
    ...shown,
    team_one: named(team1_name),
    team_two: named(team2_name),
    absent_side: row.absent_side as 1 | 2 | null,
    called_at: iso(row.called_at),
  }
}
