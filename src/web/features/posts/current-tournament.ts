import { queryOptions } from '@tanstack/react-query'
import { serverNow } from '#client/server-clock.ts'
import { tournamentPhase } from '#contract/tournament-phase.ts'
import type { listTournaments, Tournament } from '#contract/tournaments.ts'
import { homeCopy as copy } from '#web/features/posts/home.copy.ts'
import { clockText } from '#web/parts/time/clock-text.ts'
import { openQuery } from '#web/query-client.ts'

/** The fields of a tournament that the home page shows or that its phase depends on. */
export type CurrentTournament = Pick<
  Tournament,
  | 'id'
  | 'name'
  | 'registration_start_at'
  | 'competition_start_at'
  | 'opened_at'
  | 'closed_at'
  | 'current_round'
  | 'drawn_at'
  | 'draw_public_at'
  | 'finished_at'
  | 'cancelled_at'
>

const allTournaments = openQuery<typeof listTournaments>('/tournaments')

/** The one that runs or comes next. The page holds nothing of the others. */
export const currentTournamentQuery = queryOptions<CurrentTournament | null>({
  queryKey: [...allTournaments.queryKey, 'current'],
  queryFn: async ({ client }) => {
    // The home page is complete without one.
    const all = await client.fetchQuery({ ...allTournaments, meta: { isSource: true } }).catch(() => [])
    return pickCurrent(all, new Date(serverNow()))
  },
})

type CurrentPhase = keyof typeof copy.nowTournament

const SOONEST: readonly CurrentPhase[] = ['running', 'drawing', 'registering', 'announced']

export function currentPhase(tournament: CurrentTournament, now: Date): CurrentPhase | null {
  const phase = tournamentPhase(tournament, now)
  return phase === 'finished' || phase === 'cancelled' ? null : phase
}

/** A running one, else the one whose turn comes first. */
export function pickCurrent(all: readonly CurrentTournament[], now: Date): CurrentTournament | null {
  const [first] = all
    .flatMap((tournament) => {
      const phase = currentPhase(tournament, now)
      return phase === null ? [] : [{ tournament, rank: SOONEST.indexOf(phase) }]
    })
    .sort(
      (one, other) =>
        one.rank - other.rank ||
        Date.parse(one.tournament.competition_start_at) - Date.parse(other.tournament.competition_start_at),
    )
  if (!first) return null
  const { tournament } = first
  return {
    id: tournament.id,
    name: tournament.name,
    registration_start_at: tournament.registration_start_at,
    competition_start_at: tournament.competition_start_at,
    opened_at: tournament.opened_at,
    closed_at: tournament.closed_at,
    current_round: tournament.current_round,
    drawn_at: tournament.drawn_at,
    draw_public_at: tournament.draw_public_at,
    finished_at: tournament.finished_at,
    cancelled_at: tournament.cancelled_at,
  }
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The time until it starts, as `Khai cuộc sau 4 ngày 12 giờ` or, on the last day, `… 03:12:09`; null while it runs. */
export function waitOf(tournament: CurrentTournament, now_ms: number): string | null {
  const phase = currentPhase(tournament, new Date(now_ms))
  if (phase !== 'announced' && phase !== 'registering') return null
  const at = phase === 'announced' ? tournament.registration_start_at : tournament.competition_start_at
  const left_ms = Math.max(Math.ceil((Date.parse(at) - now_ms) / 1_000) * 1_000, 0)
  return `${copy.until[phase]} ${left_ms >= DAY_MS ? daysText(left_ms) : clockText(left_ms)}`
}

const daysText = (left_ms: number) =>
  copy.days(Math.floor(left_ms / DAY_MS), Math.floor((left_ms % DAY_MS) / HOUR_MS))
