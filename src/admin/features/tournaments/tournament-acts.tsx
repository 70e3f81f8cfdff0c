import { operatorTournaments, type OperatorTournament } from '#contract/operator/tournaments.ts'
import { drawnMaxRound, roundCount, roundName } from '#contract/tournament-rules.ts'
import { tournamentsCopy as copy } from '#admin/features/tournaments/tournaments.copy.ts'
import { ActDialog } from '#admin/kit/act-dialog.tsx'

export type ActName = 'draw' | 'next' | 'finish' | 'cancel'

const isLastRound = ({ max_round, matches, current_round }: OperatorTournament) =>
  current_round === roundCount(drawnMaxRound(max_round, matches))

/** What can be done in this phase; the server judges again. */
export function actsOf(tournament: OperatorTournament): ActName[] {
  const { phase } = tournament
  if (phase === 'finished' || phase === 'cancelled') return []
  if (phase === 'running') return ['cancel', isLastRound(tournament) ? 'finish' : 'next']
  return phase === 'announced' ? ['cancel'] : ['cancel', 'draw']
}

const endpoints = {
  draw: operatorTournaments.draw,
  next: operatorTournaments.nextRound,
  finish: operatorTournaments.finish,
  cancel: operatorTournaments.cancel,
} as const

function textOf(act: ActName, { teams, matches, max_round, current_round }: OperatorTournament): string {
  if (act === 'draw') return copy.draw.text(teams.length)
  if (act === 'cancel') return copy.cancel.text
  const maxRound = drawnMaxRound(max_round, matches)
  if (act === 'next') return copy.next.text(roundName(current_round + 1, maxRound))
  const final = matches.find(({ round }) => round === current_round)
  const winner = teams.find(({ id }) => id === final?.winning_team_id)
  return copy.finish.text(winner?.name ?? copy.bracket.waiting)
}

type Props = { tournament: OperatorTournament; act: ActName; onClose: () => void }

export function TournamentAct({ tournament, act, onClose }: Props) {
  const { id, updated_at } = tournament
  return (
    <ActDialog
      title={copy[act].label}
      submitLabel={copy[act].label}
      endpoint={endpoints[act]}
      params={{ id }}
      toBody={({ reason }) => ({ reason, updated_at })}
      onClose={onClose}
    >
      {() => <p>{textOf(act, tournament)}</p>}
    </ActDialog>
  )
}
