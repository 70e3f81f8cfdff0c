import { tournamentPhase } from '#contract/tournament-rules.ts'
import type { Tournament } from '#contract/tournaments.ts'
import { championOf, type Round } from '#web/features/tournaments/bracket.ts'

export type StepName = 'registration' | 'draw' | 'matches' | 'final'
export type Step = { name: StepName; state: 'done' | 'now' | 'next' }

const STEPS: readonly StepName[] = ['registration', 'draw', 'matches', 'final']

/** The way of a tournament, and where on it everybody is. One that was cancelled is nowhere. */
export function stepsOf(tournament: Tournament, rounds: readonly Round[], now_ms: number): readonly Step[] {
  const now = placeOf(tournament, rounds, now_ms)
  return STEPS.map((name, place) => ({
    name,
    state: place < now ? 'done' : place === now ? 'now' : 'next',
  }))
}

/** How many steps lie behind, -1 before the first has begun. */
function placeOf(tournament: Tournament, rounds: readonly Round[], now_ms: number): number {
  switch (tournamentPhase(tournament, new Date(now_ms))) {
    case 'announced':
    case 'cancelled':
      return -1
    case 'registering':
      return 0
    case 'drawing':
      return 1
    case 'running':
      if (championOf(rounds)) return STEPS.length
      return tournament.current_round === rounds.at(-1)?.round ? 3 : 2
    case 'finished':
      return STEPS.length
  }
}
