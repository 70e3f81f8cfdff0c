import { tournamentPhase } from '#contract/tournament-rules.ts'
import type { Tournament } from '#contract/tournaments.ts'

export type Ordered = Record<'next' | 'running' | 'past', readonly Tournament[]>

/** What comes, the soonest first; what is being played; what is over, the latest first. */
export function inOrder(tournaments: readonly Tournament[], now_ms: number): Ordered {
  const of = (...phases: string[]) =>
    tournaments
      .filter((tournament) => phases.includes(tournamentPhase(tournament, new Date(now_ms))))
      .toSorted((a, b) => (a.competition_start_at < b.competition_start_at ? -1 : 1))
  return {
    next: of('drawing', 'registering', 'announced'),
    running: of('running').toReversed(),
    past: of('finished', 'cancelled').toReversed(),
  }
}
