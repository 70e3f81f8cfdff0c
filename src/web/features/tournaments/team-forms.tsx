import { useEffect, useId, useRef, type ReactNode } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { teamSize } from '#contract/tournament-rules.ts'
import {
  acceptInvitation,
  changeOwnTeam,
  registerTeam,
  type OwnTeam,
  type TeamInvitation,
} from '#contract/tournament-teams.ts'
import type { Tournament } from '#contract/tournaments.ts'
import { formatMoment } from '#contract/format.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { Form } from '#client/forms/form.tsx'
import { browserCall } from '#web/browser-call.ts'
import { CharacterChoice } from '#web/parts/characters/character-choice.tsx'
import { useSendForm } from '#web/parts/forms/use-send.ts'
import { showToast } from '#web/parts/outcomes/announce.ts'
import { invitationCopy, invitationsQuery } from '#web/parts/tournaments/own-invitations.tsx'
import { useOwnCharacters, usualCharacter } from '#web/parts/purchase/own-characters.ts'
import { ownKey } from '#web/query-client.ts'
import { teamCopy as copy } from '#web/features/tournaments/own-team.copy.ts'
import { feeText } from '#web/features/tournaments/tournament-facts.tsx'
import { ownTeamPath, ownTeamQuery, teamsQuery } from '#web/features/tournaments/tournaments.api.ts'

/** Shows the team as the answer has it, and reads again what depends on it. */
export function useTeamAnswer(tournamentId: string) {
  const client = useQueryClient()
  return (team?: OwnTeam) => {
    if (team) client.setQueryData(ownTeamQuery(tournamentId).queryKey, team)
    else void client.invalidateQueries({ queryKey: ownKey(ownTeamPath) })
    void client.invalidateQueries({ queryKey: invitationsQuery.queryKey })
    void client.invalidateQueries({ queryKey: teamsQuery(tournamentId).queryKey })
  }
}

type OfTournament = { tournament: Tournament }

/** The form that registers a team of the player's. */
export function SignUpForm({ tournament }: OfTournament) {
  const onAnswer = useTeamAnswer(tournament.id)
  const places = invitePlaces(tournament)
  const form = useSendForm(registerTeam, {
    start: { name: '', character_id: '', invites: emptyPlaces(places) },
    toBody: (typed) => ({ ...typed, invites: filled(typed.invites) }),
    draft: { key: `team-${tournament.id}`, names: ['name', 'invites'] },
    call: (endpoint, input) => browserCall(endpoint, { ...input, params: { id: tournament.id } }),
    onDone: onAnswer,
    report: () => showToast(copy.registered),
  })
  return (
    <Form form={form}>
      <Field {...form.field('name')} label={copy.name} hint={copy.nameHint} maxLength={60} />
      <InviteFields
        tournament={tournament}
        invites={form.values.invites}
        error={form.error('invites')}
        onChange={(invites) => form.set('invites', invites)}
      />
      {/* Below the fields: the game may be slow with its list, and what is being typed in must not move then. */}
      <PlayerCharacter
        chosenId={form.values.character_id}
        error={form.error('character_id')}
        onChoose={(id) => form.set('character_id', id)}
      />
      <p className="text-soft">{feeNote(tournament)}</p>
      <Button type="submit" isBusy={form.isSending}>
        {copy.submit}
      </Button>
    </Form>
  )
}

type EditProps = OfTournament & { team: OwnTeam; onClose: () => void }

/** The form in which the captain changes the team's name and who is invited. */
export function EditForm({ tournament, team, onClose }: EditProps) {
  const onAnswer = useTeamAnswer(tournament.id)
  const others = team.members
    .filter(({ is_captain, state }) => !is_captain && state !== 'declined')
    .map(({ username }) => username)
  const places = Math.max(invitePlaces(tournament), others.length)
  const form = useSendForm(changeOwnTeam, {
    start: { name: team.name, invites: [...others, ...emptyPlaces(places - others.length)] },
    // A name of before the rule stays until it is changed.
    toBody: ({ name, invites }) => ({
      ...(name === team.name ? {} : { name }),
      invites: filled(invites),
    }),
    call: (endpoint, input) =>
      browserCall(endpoint, { ...input, params: { id: tournament.id, team: team.id } }),
    onDone: (answer) => {
      onAnswer(answer)
      onClose()
    },
    report: () => showToast(copy.saved),
  })
  return (
    <Form form={form}>
      <Field {...form.field('name')} label={copy.name} hint={copy.nameHint} maxLength={60} autoFocus />
      <InviteFields
        tournament={tournament}
        invites={form.values.invites}
        error={form.error('invites')}
        onChange={(invites) => form.set('invites', invites)}
      />
      <p className="flex flex-wrap gap-3">
        <Button type="submit" isBusy={form.isSending}>
          {copy.save}
        </Button>
        <Button kind="plain" onClick={onClose}>
          {copy.cancelEdit}
        </Button>
      </p>
    </Form>
  )
}

type AcceptProps = { invitation: TeamInvitation; children: ReactNode }

/** Where an invited player chooses a character and joins; with the other answer beside it. */
export function AcceptForm({ invitation, children }: AcceptProps) {
  const { tournament_id: id, team_id: team, invited_by, team_name, until } = invitation
  const onAnswer = useTeamAnswer(id)
  const form = useSendForm(acceptInvitation, {
    start: { character_id: '' },
    call: (endpoint, input) => browserCall(endpoint, { ...input, params: { id, team } }),
    onDone: onAnswer,
    report: () => showToast(copy.accepted),
  })
  return (
    <div className="form-fields space-y-4">
      <p className="wrap-anywhere">
        {invitationCopy.invitedBy(invited_by)} <bdi className="font-semibold">{team_name}</bdi>.
        {until !== null && ` ${copy.answerBy(formatMoment(until))}`}
      </p>
      <PlayerCharacter
        name={`character-${team}`}
        chosenId={form.values.character_id}
        error={form.error('character_id')}
        onChoose={(character) => form.set('character_id', character)}
      />
      <p className="flex flex-wrap gap-3">
        <Button isBusy={form.isSending} onClick={form.submit}>
          {copy.accept}
        </Button>
        {children}
      </p>
    </div>
  )
}

type CharacterProps = {
  name?: string
  chosenId: string
  error: string | undefined
  onChoose: (id: string) => void
}

/** The player's characters; the usual one is chosen until the player chooses. */
function PlayerCharacter({ name, chosenId, error, onChoose }: CharacterProps) {
  const own = useOwnCharacters()
  const usualId = usualCharacter(own.data?.characters ?? [])?.id
  const choose = useRef(onChoose)
  useEffect(() => {
    choose.current = onChoose
  })
  useEffect(() => {
    if (usualId !== undefined && chosenId === '') choose.current(usualId)
  }, [usualId, chosenId])
  return (
    <div data-wrong={error ? '' : undefined}>
      <CharacterChoice
        legend={copy.character}
        {...(name !== undefined && { name })}
        visitorText={copy.visitor}
        own={own}
        chosenId={chosenId}
        onChoose={onChoose}
      />
      {error && (
        <p role="alert" className="mt-1 text-sm text-vermilion">
          {error}
        </p>
      )}
    </div>
  )
}

type InviteProps = OfTournament & {
  invites: readonly string[]
  error: string | undefined
  onChange: (invites: string[]) => void
}

/** A field for each player who may be invited. */
function InviteFields({ tournament, invites, error, onChange }: InviteProps) {
  const errorId = useId()
  if (invites.length === 0) return null
  const { type, substitutes } = tournament
  return (
    <fieldset data-wrong={error ? '' : undefined} aria-describedby={error ? errorId : undefined}>
      <legend className="mb-1 font-bold">{copy.members}</legend>
      <p className="mb-2 text-sm text-soft">
        {copy.membersHint(teamSize(type), substitutes)} {copy.inviteLater}
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        {invites.map((username, index) => (
          <Field
            // Fields have no identity but their place.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            label={copy.member(index + 2)}
            name={`invite-${index + 1}`}
            value={username}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder=""
            onChange={({ target }) =>
              onChange(invites.map((invite, at) => (at === index ? target.value : invite)))
            }
          />
        ))}
      </div>
      {error && (
        <p id={errorId} role="alert" className="text-sm text-vermilion">
          {error}
        </p>
      )}
    </fieldset>
  )
}

const invitePlaces = ({ type, substitutes }: Tournament) => teamSize(type) - 1 + substitutes

const emptyPlaces = (count: number): string[] => Array.from({ length: Math.max(count, 0) }, () => '')

const filled = (invites: readonly string[]) =>
  invites.map((name) => name.trim()).filter((name) => name !== '')

function feeNote(tournament: Tournament): string {
  if (tournament.fee === 0) return copy.noFee
  return tournament.fee_payer === 'captain'
    ? copy.feeCaptain(feeText(tournament))
    : copy.feeMember(feeText(tournament))
}
