import type { TournamentPhase } from '#contract/tournament-rules.ts'
import { Badge } from '#ui/badge.tsx'
import { phaseLabels } from '#admin/features/tournaments/tournaments.copy.ts'

export function PhaseBadge({ phase }: { phase: TournamentPhase }) {
  const { label, tone } = phaseLabels[phase]
  return <Badge tone={tone}>{label}</Badge>
}
