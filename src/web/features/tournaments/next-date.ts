import { tournamentPhase } from '#contract/tournament-rules.ts'
import type { Tournament } from '#contract/tournaments.ts'

const SECOND_MS = 1_000
const MINUTE_S = 60
const HOUR_S = 60 * MINUTE_S
const DAY_S = 24 * HOUR_S

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

/** `4 ngày 12:03:09`; seconds are rounded up, so that it ends at zero exactly. */
export function waitText(left_ms: number): string {
  const seconds = Math.max(Math.ceil(left_ms / SECOND_MS), 0)
  const days = Math.floor(seconds / DAY_S)
  const pad = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const clock = [
    pad((seconds % DAY_S) / HOUR_S),
    pad((seconds % HOUR_S) / MINUTE_S),
    pad(seconds % MINUTE_S),
  ].join(':')
  return days > 0 ? `${days} ngày ${clock}` : clock
}
