import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import type { TournamentPhase } from '#contract/tournament-phase.ts'
import { checkInOpensAt } from '#contract/tournament-rules.ts'
import {
  checkIn,
  declineInvitation,
  feeReason,
  leaveTeam,
  payFee,
  type OwnTeam as Team,
  type TeamCharge,
  type TeamInvitation,
} from '#contract/tournament-teams.ts'
import { paths } from '#contract/pages.ts'
import type { setTournamentReminder, Tournament } from '#contract/tournaments.ts'
import { formatMoment, formatNumber } from '#contract/format.ts'
import { Alert } from '#ui/alert.tsx'
import { Badge, type BadgeTone } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Section } from '#ui/section.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { browserCall } from '#web/browser-call.ts'
import { reportFailure } from '#web/parts/outcomes/report-outcome.ts'
import { LoadFailure } from '#web/parts/fallbacks/fallbacks.tsx'
import { useSend } from '#web/parts/forms/use-send.ts'
import { TextLink } from '#web/parts/navigation/links.tsx'
import { showToast } from '#web/parts/outcomes/announce.ts'
import { useNow } from '#web/parts/time/use-now.ts'
import { teamCopy as copy } from '#web/features/tournaments/own-team.copy.ts'
import { AcceptForm, EditForm, SignUpForm, useTeamAnswer } from '#web/features/tournaments/team-forms.tsx'
import { factsCopy } from '#web/features/tournaments/tournament-facts.tsx'
import { ownTeamQuery, reminderQuery } from '#web/features/tournaments/tournaments.api.ts'
import { invitationCopy, invitationsQuery } from '#web/parts/tournaments/own-invitations.tsx'

export type OwnPartProps = { tournament: Tournament; phase: TournamentPhase }

const CHARGE_POLL_MS = 3_000

const isMoving = ({ state }: TeamCharge) => state === 'pending' || state === 'refunding'

/** Everything that a player sees of the own part in a tournament: invitations, the team, or the form to register one. */
export function OwnTeam({ tournament, phase }: OwnPartProps) {
  const query = useQuery({
    ...ownTeamQuery(tournament.id),
    // The game takes and gives back fees without an event of the tournament.
    refetchInterval: ({ state }) => (state.data?.charges.some(isMoving) ? CHARGE_POLL_MS : false),
  })
  const { data: invitations = [] } = useQuery({ ...invitationsQuery, staleTime: 0 })
  const team = query.data
  const invited = invitations.filter(({ tournament_id }) => tournament_id === tournament.id)
  const isIn = team && team.state !== 'withdrawn'
  const isOpen = phase === 'registering'
  if (team === undefined) {
    if (query.isError) return <LoadFailure onRetry={query.refetch} />
    return isOpen ? <Skeleton className="h-40 w-full" /> : null
  }
  return (
    <>
      {!isIn && invited.length > 0 && (
        <Section title={invitationCopy.title}>
          <ul className="space-y-4">
            {invited.map((invitation) => (
              <li key={invitation.team_id} className="rounded-xl border border-line-strong bg-raised p-4">
                <Invitation invitation={invitation} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {team && (
        <Section title={copy.title}>
          <TeamCard
            tournament={tournament}
            team={team}
            isOpen={isOpen}
            isDrawn={tournament.current_round > 0}
          />
        </Section>
      )}
      {!isIn && isOpen && (
        <Section title={copy.signUp}>
          <SignUpForm tournament={tournament} />
        </Section>
      )}
      {!isIn && tournament.current_round === 0 && (phase === 'announced' || isOpen) && (
        <RemindMe id={tournament.id} />
      )}
    </>
  )
}

/** For those who only watch. */
function RemindMe({ id }: { id: string }) {
  const client = useQueryClient()
  const reminder = reminderQuery(id)
  const { data } = useQuery(reminder)
  const [isSending, setSending] = useState(false)

  async function choose(wanted: boolean) {
    setSending(true)
    try {
      const answer = await browserCall<typeof setTournamentReminder>(
        { method: 'PUT', path: '/tournaments/{id}/reminder' },
        { params: { id }, body: { wanted } },
      )
      client.setQueryData(reminder.queryKey, answer)
    } catch (error) {
      reportFailure(error)
    }
    setSending(false)
  }

  if (data === undefined) return null
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button kind="plain" isBusy={isSending} onClick={() => void choose(!data.wanted)}>
        {data.wanted ? copy.remindNoMore : copy.remindMe}
      </Button>
      <p className="min-w-0 flex-[1_1_16rem] text-sm text-soft">
        {data.wanted ? copy.reminded : copy.remindText}{' '}
        <TextLink to={`${paths.notices}#ways`}>{copy.remindWays}</TextLink>
      </p>
    </div>
  )
}

function Invitation({ invitation }: { invitation: TeamInvitation }) {
  const { tournament_id: id, team_id: team } = invitation
  const onAnswer = useTeamAnswer(id)
  const { send, isSending } = useSend(declineInvitation, { onDone: () => onAnswer() })
  return (
    <AcceptForm invitation={invitation}>
      <Button kind="plain" isBusy={isSending} onClick={() => void send({ params: { id, team } })}>
        {copy.decline}
      </Button>
    </AcceptForm>
  )
}

type CardProps = { tournament: Tournament; team: Team; isOpen: boolean; isDrawn: boolean }

const tones: Record<Team['state'], BadgeTone> = {
  held: 'waiting',
  admitted: 'success',
  waiting: 'waiting',
  withdrawn: 'note',
}

function TeamCard({ tournament, team, isOpen, isDrawn }: CardProps) {
  const [isEdited, setEdited] = useState(false)
  const isOut = team.state === 'withdrawn'
  const canChange = !isOut && !isDrawn && tournament.cancelled_at === null
  // What the draw is made from stays; a whole team may still leave.
  const isClosed = tournament.closed_at !== null
  return (
    <div className="space-y-4 rounded-xl border border-line-strong bg-raised p-4">
      <p className="flex flex-wrap items-center gap-3">
        <strong className="text-lg wrap-anywhere">{team.name}</strong>
        <Badge tone={tones[team.state]}>{copy.states[team.state]}</Badge>
      </p>
      <Standing tournament={tournament} team={team} />
      {!isOut && isOpen && <CheckIn tournament={tournament} team={team} />}
      {canChange && tournament.draw_round !== null && <p>{copy.listClosed}</p>}
      {isEdited ? (
        <EditForm tournament={tournament} team={team} onClose={() => setEdited(false)} />
      ) : (
        !isOut && <Members team={team} />
      )}
      {team.charges.length > 0 && <Charges tournament={tournament} team={team} />}
      {canChange && !isEdited && (
        <p className="flex flex-wrap gap-3">
          {team.is_captain && !isClosed && (
            <Button kind="plain" onClick={() => setEdited(true)}>
              {copy.edit}
            </Button>
          )}
          {(team.is_captain || !isClosed) && <LeaveButton tournamentId={tournament.id} team={team} />}
        </p>
      )}
    </div>
  )
}

/** What the state of the team means. */
function Standing({ tournament, team }: OfTeam) {
  const { state, held_until, position, moves_up, withdrawn_for } = team
  // Nothing is held, and nobody moves up, in what does not take place.
  if (tournament.cancelled_at !== null) return <p role="status">{copy.withdrawnFor.cancelled}</p>
  if (state === 'held' && held_until !== null)
    return <p role="status">{copy.heldUntil(formatMoment(held_until))}</p>
  if (state === 'waiting' && position !== null)
    return (
      <p role="status">
        {copy.waitingAt(position)} {moves_up !== null && copy.movesUp[moves_up]}
      </p>
    )
  if (state === 'withdrawn' && withdrawn_for !== null)
    return <p role="status">{copy.withdrawnFor[withdrawn_for]}</p>
  return null
}

const answerTones = { accepted: 'success', invited: 'waiting', declined: 'danger' } as const

function Members({ team: { members } }: { team: Team }) {
  return (
    <ul className="divide-y divide-line border-y border-line">
      {members.map(({ username, character_name, state, is_captain, is_substitute }) => (
        <li key={username} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
          <span className="min-w-0 flex-[1_1_8rem] wrap-anywhere">
            <strong>{character_name ?? username}</strong>
            {character_name !== null && <span className="text-sm text-soft"> {username}</span>}
          </span>
          {is_captain && <span className="text-sm text-soft">{copy.captain}</span>}
          {is_substitute && <span className="text-sm text-soft">{copy.substitute}</span>}
          <Badge tone={answerTones[state]}>{copy.memberStates[state]}</Badge>
        </li>
      ))}
    </ul>
  )
}

const chargeTones: Record<TeamCharge['state'], BadgeTone> = {
  pending: 'waiting',
  applied: 'success',
  refused: 'danger',
  refunding: 'waiting',
  refunded: 'note',
}

type OfTeam = { tournament: Tournament; team: Team }

/** What each payer has paid or is given back; a refused fee is asked for again. */
function Charges({ tournament: { id }, team }: OfTeam) {
  const onAnswer = useTeamAnswer(id)
  const { send, isSending } = useSend(payFee, {
    onDone: onAnswer,
    report: () => showToast(copy.retried),
  })
  const isRefused = team.state === 'held' && team.charges.some(({ state }) => state === 'refused')
  return (
    <div>
      <h3 className="text-base">{copy.fee}</h3>
      <ul aria-live="polite">
        {team.charges.map(({ username, luong, state, reason }) => (
          <li key={username} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1">
            <span className="min-w-0 flex-[1_1_8rem] wrap-anywhere">
              {username}: {factsCopy.luong(formatNumber(luong))}
            </span>
            <Badge tone={chargeTones[state]}>{copy.charges[state]}</Badge>
            {state === 'refused' && (
              <span className="w-full text-sm text-vermilion first-letter:uppercase">
                {feeReason(reason)}
              </span>
            )}
          </li>
        ))}
      </ul>
      {isRefused && (
        <Button
          className="mt-2"
          isBusy={isSending}
          onClick={() => void send({ params: { id, team: team.id } })}
        >
          {copy.retry}
        </Button>
      )}
    </div>
  )
}

function CheckIn({ tournament, team }: OfTeam) {
  const { id, competition_start_at } = tournament
  const opensAt = checkInOpensAt(tournament)
  const now_ms = useNow(team.checked_in_at === null && opensAt !== null)
  const onAnswer = useTeamAnswer(id)
  const { send, isSending } = useSend(checkIn, {
    onDone: onAnswer,
    report: () => showToast(copy.checkedInToast),
  })
  if (opensAt === null) return null
  if (team.checked_in_at !== null)
    return <Alert tone="success">{copy.checkedIn(formatMoment(team.checked_in_at))}</Alert>
  const when = (team.state === 'waiting' ? copy.waitingCheckIn : copy.checkInFrom)(
    formatMoment(opensAt.toISOString()),
    formatMoment(competition_start_at),
  )
  if (now_ms < opensAt.getTime()) return <p>{when}</p>
  return (
    <Alert tone="note">
      <p className="mb-2">{when}</p>
      <Button isBusy={isSending} onClick={() => void send({ params: { id, team: team.id } })}>
        {copy.checkIn}
      </Button>
    </Alert>
  )
}

function LeaveButton({ tournamentId: id, team }: { tournamentId: string; team: Team }) {
  const [isAsked, setAsked] = useState(false)
  const onAnswer = useTeamAnswer(id)
  const { send, isSending } = useSend(leaveTeam, {
    onDone: () => {
      setAsked(false)
      onAnswer()
    },
  })
  const [title, warning] = team.is_captain
    ? [copy.withdrawTitle, copy.withdrawWarning]
    : [copy.leaveTitle, copy.leaveWarning]
  const label = team.is_captain ? copy.withdraw : copy.leave
  return (
    <>
      <Button kind="text" onClick={() => setAsked(true)}>
        {label}
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={title}
          confirmLabel={label}
          isBusy={isSending}
          onConfirm={() => void send({ params: { id, team: team.id } })}
          onClose={() => setAsked(false)}
        >
          <p>{warning}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
