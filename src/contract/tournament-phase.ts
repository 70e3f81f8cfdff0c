// A file of its own, so that a page that only names the phase does not load the rules.

/** `announced`, `registering`, `drawing` (its day has come, no list yet), `running`, `finished`, `cancelled`. */
export type TournamentPhase = 'announced' | 'registering' | 'drawing' | 'running' | 'finished' | 'cancelled'

type Dated = {
  registration_start_at: string
  competition_start_at: string
  opened_at: string | null
  closed_at: string | null
  current_round: number
  drawn_at: string | null
  draw_public_at: string | null
  finished_at: string | null
  cancelled_at: string | null
}

/** Registration opens and closes at its dates, or before them by an act of the referee. */
export function tournamentPhase(tournament: Dated, now: Date): TournamentPhase {
  const isPast = (moment: string | null) => moment !== null && now >= new Date(moment)
  if (tournament.cancelled_at !== null) return 'cancelled'
  if (tournament.finished_at !== null) return 'finished'
  if (tournament.current_round > 0) {
    // Drawn by a version that published a draw at once.
    if (tournament.drawn_at === null) return 'running'
    return isPast(tournament.draw_public_at) ? 'running' : 'drawing'
  }
  if (tournament.closed_at !== null || isPast(tournament.competition_start_at)) return 'drawing'
  return tournament.opened_at !== null || isPast(tournament.registration_start_at)
    ? 'registering'
    : 'announced'
}
