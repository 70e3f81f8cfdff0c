import { useState } from 'react'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { momentText } from '#admin/kit/format.ts'
import { RowPage } from '#admin/kit/loaded.tsx'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { useMay } from '#admin/session/console-session.ts'
import { formatNumber } from '#contract/format.ts'
import { type OperatorTournament, operatorTournaments } from '#contract/operator/tournaments.ts'
import {
  drawnMaxRound,
  maxTeams,
  roundCount,
  roundName,
  TOURNAMENT_FORMATS,
  TOURNAMENT_MODES,
} from '#contract/tournament-rules.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { Facts } from '#ui/facts.tsx'
import { BracketPanel } from './bracket-panel.tsx'
import { TeamsPanel } from './teams-panel.tsx'
import { nameOf, TournamentForm } from './tournament-form.tsx'
import { PhaseBadge, tournamentsCopy as copy } from './tournament-parts.tsx'

export const Component = () => (
  <RowPage endpoint={operatorTournaments.get}>
    {(tournament) => <Tournament tournament={tournament} />}
  </RowPage>
)

function Tournament({ tournament }: { tournament: OperatorTournament }) {
  const [open, setOpen] = useState<ActName | 'edit' | null>(null)
  const isReferee = useMay()('tournaments.write')
  const acts = isReferee ? actsOf(tournament) : []
  const close = () => setOpen(null)
  return (
    <ScreenFrame
      title={tournament.name}
      acts={
        <>
          <a href={`/tournament/${tournament.id}`} className={buttonClass('plain')}>
            {copy.seePlayers}
          </a>
          {acts.includes('cancel') && (
            <Button kind="plain" onClick={() => setOpen('edit')}>
              {copy.edit}
            </Button>
          )}
          {acts.map((act) => (
            <Button key={act} kind={act === 'cancel' ? 'plain' : 'main'} onClick={() => setOpen(act)}>
              {copy[act].label}
            </Button>
          ))}
        </>
      }
    >
      <PhaseBadge phase={tournament.phase} />
      <TournamentFacts tournament={tournament} />
      <BracketPanel tournament={tournament} isReferee={isReferee} />
      <TeamsPanel tournament={tournament} isReferee={isReferee} />
      {open === 'edit' && <TournamentForm tournament={tournament} onClose={close} />}
      {open !== null && open !== 'edit' && (
        <TournamentAct tournament={tournament} act={open} onClose={close} />
      )}
    </ScreenFrame>
  )
}

function TournamentFacts({ tournament }: { tournament: OperatorTournament }) {
  const { winner, draw_seed, max_round, min_level, max_level } = tournament
  const most = maxTeams(max_round)
  return (
    <Facts
      className="max-w-2xl"
      facts={[
        ...(winner === null ? [] : [{ label: copy.champion, value: winner }]),
        { label: copy.registration, value: momentText(tournament.registration_start_at) },
        { label: copy.competition, value: momentText(tournament.competition_start_at) },
        { label: copy.type, value: nameOf(TOURNAMENT_FORMATS, tournament.type) },
        { label: copy.mode, value: nameOf(TOURNAMENT_MODES, tournament.mode) },
        { label: copy.fee, value: formatNumber(tournament.fee) },
        { label: copy.minLevel, value: String(min_level) },
        { label: copy.maxLevel, value: String(max_level) },
        { label: copy.rounds, value: most === null ? copy.unlimited : formatNumber(most) },
        { label: copy.prize, value: tournament.prize || copy.unsaid },
        { label: copy.howToRegister, value: tournament.how_to_register || copy.unsaid },
        ...(draw_seed === null ? [] : [{ label: copy.seed, value: draw_seed }]),
      ]}
    />
  )
}

type ActName = 'draw' | 'next' | 'finish' | 'cancel'

const isLastRound = ({ max_round, matches, current_round }: OperatorTournament) =>
  current_round === roundCount(drawnMaxRound(max_round, matches))

/** What can be done in this phase; the server checks again. */
function actsOf(tournament: OperatorTournament): ActName[] {
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

function TournamentAct({ tournament, act, onClose }: Props) {
  const { id, updated_at } = tournament
  return (
    <ActDialog
      title={copy[act].label}
      endpoint={endpoints[act]}
      params={{ id }}
      toBody={({ reason }) => ({ reason, updated_at })}
      onClose={onClose}
      text={textOf(act, tournament)}
    />
  )
}
