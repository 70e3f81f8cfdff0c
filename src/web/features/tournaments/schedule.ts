import { tournamentPhase } from '#contract/tournament-phase.ts'
import type { Tournament } from '#contract/tournaments.ts'
import { clockText } from '#web/parts/time/clock-text.ts'

export type Ordered = Record<'next' | 'running' | 'past', readonly Tournament[]>

/** What comes, the soonest first; what is being played; what is over, the latest first. */
export function inOrder(tournaments: readonly Tournament[], now_ms: number): Ordered {
  const of = (...phases: string[]) =>
    tournaments
      .filter((tournament) => phases.includes(tournamentPhase(tournament, new Date(now_ms))))
      .sort((a, b) => (a.competition_start_at < b.competition_start_at ? -1 : 1))
  return {
    next: of('drawing', 'registering', 'announced'),
    running: of('running').reverse(),
    past: of('finished', 'cancelled').reverse(),
  }
}

export type Champion = { id: string; name: string; winner: string; at: string }

/** The tournaments that somebody has won, the latest first. */
export function championsOf(tournaments: readonly Tournament[]): Champion[] {
  return tournaments
    .flatMap(({ id, name, winner, finished_at, competition_start_at }) =>
      winner === null ? [] : [{ id, name, winner, at: finished_at ?? competition_start_at }],
    )
    .sort((a, b) => b.at.localeCompare(a.at))
}

const DAY_S = 86_400

/** The next date of the tournament; null when there is none. */
export function nextDate(
  tournament: Tournament,
  now_ms: number,
): { of: 'registration' | 'competition'; left_ms: number } | null {
  const phase = tournamentPhase(tournament, new Date(now_ms))
  if (phase === 'announced') {
    return { of: 'registration', left_ms: Date.parse(tournament.registration_start_at) - now_ms }
  }
  if (phase === 'registering') {
    return { of: 'competition', left_ms: Date.parse(tournament.competition_start_at) - now_ms }
  }
  return null
}

const HOUR_MS = 3_600_000

/** `4 ngày 12 giờ`, on the last day `12 giờ`, at last `dưới 1 giờ`: a list has no clock that runs. */
export function leftText(left_ms: number): string {
  const hours = Math.floor(Math.max(left_ms, 0) / HOUR_MS)
  const [days, rest] = [Math.floor(hours / 24), hours % 24]
  if (hours === 0) return 'dưới 1 giờ'
  return [days > 0 ? `${days} ngày` : '', rest > 0 ? `${rest} giờ` : ''].filter(Boolean).join(' ')
}

/** `4 ngày 12:03:09`; seconds are rounded up, so that it ends at zero exactly. */
export function waitText(left_ms: number): string {
  const seconds = Math.max(Math.ceil(left_ms / 1_000), 0)
  const days = Math.floor(seconds / DAY_S)
  const clock = clockText((seconds % DAY_S) * 1_000)
  return days > 0 ? `${days} ngày ${clock}` : clock
}
