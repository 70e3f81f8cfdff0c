import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { MomentField, typedMoment } from '#admin/kit/fields.tsx'
import { momentText } from '#admin/kit/format.ts'
import { kitCopy } from '#admin/kit/kit.copy.ts'
import { ReportLink } from '#admin/kit/links.tsx'
import { RowPage } from '#admin/kit/loaded.tsx'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { useMay, useOperator } from '#admin/session/console-session.ts'
import { formatNumber } from '#contract/format.ts'
import { type OperatorTournament, operatorTournaments } from '#contract/operator/tournaments.ts'
import {
  drawnMaxRound,
  FEE_PAYERS,
  isListBeingClosed,
  maxTeams,
  roundCount,
  roundName,
  TOURNAMENT_FORMATS,
  TOURNAMENT_MODES,
} from '#contract/tournament-rules.ts'
import { Alert } from '#ui/alert.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Facts } from '#ui/facts.tsx'
import { TextArea } from '#ui/field.tsx'
import { BracketPanel } from './bracket-panel.tsx'
import { deskCopy } from './desk.copy.ts'
import { openStoredQueue, queueName } from './desk-sender.ts'
import { DrawPanel } from './draw-panel.tsx'
import { TeamsPanel } from './teams-panel.tsx'
import { useLiveTournament } from './use-live-tournament.ts'
import { nameOf, TournamentForm } from './tournament-form.tsx'
import { PhaseBadge, tournamentsCopy as copy } from './tournament-parts.tsx'

export const Component = () => (
  <RowPage endpoint={operatorTournaments.get}>
    {(tournament) => <Tournament tournament={tournament} />}
  </RowPage>
)

function Tournament({ tournament }: { tournament: OperatorTournament }) {
  const [open, setOpen] = useState<ActName | 'edit' | 'copy' | null>(null)
  const navigate = useNavigate()
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
          <ReportLink kind="tournaments" id={tournament.id} title={tournament.name} />
          {isReferee && hasDesk(tournament) && (
            <Link to={`/tournaments/${tournament.id}/desk`} className={buttonClass()}>
              {deskCopy.open}
            </Link>
          )}
          {acts.includes('cancel') && (
            <Button kind="plain" onClick={() => setOpen('edit')}>
              {copy.edit}
            </Button>
          )}
          {isReferee && (
            <Button kind="plain" onClick={() => setOpen('copy')}>
              {kitCopy.campaign.copy}
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
      {isReferee && <UnsentActs id={tournament.id} />}
      {isListBeingClosed(tournament) && <BeingClosed id={tournament.id} />}
      <TournamentFacts tournament={tournament} />
      <DrawPanel tournament={tournament} isReferee={isReferee} />
      <BracketPanel tournament={tournament} isReferee={isReferee} />
      <TeamsPanel tournament={tournament} isReferee={isReferee} />
      {open === 'edit' && <TournamentForm tournament={tournament} onClose={close} />}
      {open === 'copy' && (
        <TournamentForm
          copied={tournament}
          onDone={({ id }) => void navigate(`/tournaments/${id}`)}
          onClose={close}
        />
      )}
      {open !== null && open !== 'edit' && open !== 'copy' && (
        <TournamentAct tournament={tournament} act={open} onClose={close} />
      )}
    </ScreenFrame>
  )
}

/** Acts are sent while the desk is open: who has left it before is told. */
function UnsentActs({ id }: { id: string }) {
  const name = queueName(useOperator().id, id)
  const [count] = useState(() => openStoredQueue(name).get().acts.length)
  if (count === 0) return null
  return (
    <Alert>
      <Link to={`/tournaments/${id}/desk`}>{deskCopy.unsent(count)}</Link>
    </Alert>
  )
}

/** Until the list is closed, which the page then shows by itself. */
function BeingClosed({ id }: { id: string }) {
  useLiveTournament(id)
  return <Alert tone="note">{copy.listBeingClosed}</Alert>
}

function TournamentFacts({ tournament }: { tournament: OperatorTournament }) {
  const { winner, draw_seed, drawn_at, max_round, min_level, max_level, fees_to_return } = tournament
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
        { label: copy.server, value: tournament.server_id ?? copy.anyServer },
        { label: copy.substitutes, value: tournament.substitutes },
        { label: copy.fee, value: formatNumber(tournament.fee) },
        ...(fees_to_return === 0
          ? []
          : [{ label: copy.feesToReturn, value: copy.fees(formatNumber(fees_to_return)) }]),
        { label: copy.feePayer, value: FEE_PAYERS[tournament.fee_payer] },
        { label: copy.checkIn, value: tournament.check_in_minutes },
        { label: copy.minLevel, value: String(min_level) },
        { label: copy.maxLevel, value: String(max_level) },
        { label: copy.rounds, value: most === null ? copy.unlimited : formatNumber(most) },
        { label: copy.prize, value: tournament.prize || copy.unsaid },
        { label: copy.howToRegister, value: tournament.how_to_register || copy.unsaid },
        // With its secret a later draw shows what it was made by.
        ...(draw_seed === null || drawn_at !== null ? [] : [{ label: copy.seed, value: draw_seed }]),
      ]}
    />
  )
}

type ActName = 'open' | 'close' | 'draw' | 'next' | 'finish' | 'cancel'

/** Also to undo the end. */
const hasDesk = ({ phase, undoable }: OperatorTournament) =>
  phase === 'running' || (phase === 'finished' && undoable !== null)

const isLastRound = ({ max_round, matches, current_round }: OperatorTournament) =>
  current_round === roundCount(drawnMaxRound(max_round, matches))

/** What can be done in this phase; the server checks again. */
function actsOf(tournament: OperatorTournament): ActName[] {
  const { phase } = tournament
  if (phase === 'finished' || phase === 'cancelled') return []
  if (phase === 'running') return ['cancel', isLastRound(tournament) ? 'finish' : 'next']
  if (phase === 'announced') return ['cancel', 'open']
  if (tournament.current_round > 0) return ['cancel']
  if (phase === 'registering') return ['cancel', 'close']
  if (isListBeingClosed(tournament)) return ['cancel']
  return ['cancel', tournament.draw_round === null ? 'close' : 'draw']
}

const endpoints = {
  open: operatorTournaments.open,
  close: operatorTournaments.close,
  next: operatorTournaments.nextRound,
  finish: operatorTournaments.finish,
  cancel: operatorTournaments.cancel,
} as const

function textOf(
  act: Exclude<ActName, 'draw'>,
  { teams, matches, max_round, current_round }: OperatorTournament,
): string {
  if (act === 'cancel' || act === 'open' || act === 'close') return copy[act].text
  const maxRound = drawnMaxRound(max_round, matches)
  if (act === 'next') return copy.next.text(roundName(current_round + 1, maxRound))
  const final = matches.find(({ round }) => round === current_round)
  const winner = teams.find(({ id }) => id === final?.winning_team_id)
  return copy.finish.text(winner?.name ?? null)
}

type Props = { tournament: OperatorTournament; act: ActName; onClose: () => void }

function TournamentAct({ tournament, act, onClose }: Props) {
  const { id, updated_at } = tournament
  if (act === 'draw') return <DrawDialog tournament={tournament} onClose={onClose} />
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

function DrawDialog({ tournament, onClose }: Omit<Props, 'act'>) {
  const { id, mode, teams, draw_round, updated_at } = tournament
  const admitted = teams.filter(({ state }) => state === 'admitted')
  return (
    <ActDialog
      title={copy.draw.label}
      endpoint={operatorTournaments.draw}
      params={{ id }}
      start={{ publish_at: '', beacon: '' }}
      toBody={({ publish_at, beacon, reason }) => ({
        ...(beacon.trim() !== '' && { beacon }),
        ...(publish_at !== '' && { publish_at: typedMoment(publish_at) }),
        updated_at,
        reason,
      })}
      text={copy.draw.text(admitted.length)}
      onClose={onClose}
    >
      {(form) => (
        <>
          {mode === 1 && (
            <MomentField
              {...form.field('publish_at')}
              label={copy.draw.publishAt}
              hint={copy.draw.publishHint}
              isOptional
            />
          )}
          <TextArea
            {...form.field('beacon')}
            label={copy.draw.beacon}
            hint={copy.draw.beaconHint(draw_round ?? 0)}
            rows={3}
          />
        </>
      )}
    </ActDialog>
  )
}
