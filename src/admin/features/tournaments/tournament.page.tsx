import { useState } from 'react'
import { useParams } from 'react-router'
import { formatNumber } from '#contract/format-number.ts'
import { operatorTournaments, type OperatorTournament } from '#contract/operator/tournaments.ts'
import { maxTeams, TOURNAMENT_FORMATS, TOURNAMENT_MODES } from '#contract/tournament-rules.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { Facts } from '#ui/facts.tsx'
import { nameOf } from '#admin/features/tournaments/changes.ts'
import { BracketPanel } from '#admin/features/tournaments/bracket-panel.tsx'
import { PhaseBadge } from '#admin/features/tournaments/phase-badge.tsx'
import { TeamsPanel } from '#admin/features/tournaments/teams-panel.tsx'
import { actsOf, TournamentAct, type ActName } from '#admin/features/tournaments/tournament-acts.tsx'
import { TournamentForm } from '#admin/features/tournaments/tournament-form.tsx'
import { tournamentsCopy as copy } from '#admin/features/tournaments/tournaments.copy.ts'
import { momentText } from '#admin/kit/format.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'
import { useMay } from '#admin/session/console-session.ts'

export function Component() {
  const { id = '' } = useParams()
  return (
    <Loaded query={read(operatorTournaments.get, { params: { id } })}>
      {(tournament) => <Tournament tournament={tournament} />}
    </Loaded>
  )
}

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
