import { tournamentPhase } from '#contract/tournament-rules.ts'
import type { Tournament } from '#contract/tournaments.ts'
import { Badge } from '#ui/badge.tsx'
import { phaseLabels } from '#web/features/tournaments/tournament-facts.copy.ts'

export function PhaseBadge({ tournament, now_ms }: { tournament: Tournament; now_ms: number }) {
  const { label, tone } = phaseLabels[tournamentPhase(tournament, new Date(now_ms))]
  return <Badge tone={tone}>{label}</Badge>
}
