import { type SyntheticEvent, useState } from 'react'
import { Panel } from '#admin/kit/screen.tsx'
import { isConflict, reportFailure, useRefresh, useSend } from '#admin/kit/use-send.ts'
import {
  type OperatorMatch,
  type OperatorTournament,
  operatorTournaments,
} from '#contract/operator/tournaments.ts'
import { drawnMaxRound, roundName, roundPoints } from '#contract/tournament-rules.ts'
import { Alert } from '#ui/alert.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button, fieldBox } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { tournamentsCopy } from './tournament-parts.tsx'

const copy = tournamentsCopy.bracket

type Props = { tournament: OperatorTournament; isReferee: boolean }

/** The rounds, the one being played first and open for results. */
export function BracketPanel({ tournament, isReferee }: Props) {
  const { max_round, current_round, phase, id } = tournament
  // Somebody else may look at this screen while the draw is shown team by team.
  const isSecret = phase === 'drawing' && current_round > 0
  const matches = isSecret ? [] : tournament.matches
  const maxRound = drawnMaxRound(max_round, matches)
  const rounds = [...new Set(matches.map(({ round }) => round))]
  const isRunning = phase === 'running'
  const ordered = isRunning ? [current_round, ...rounds.filter((round) => round !== current_round)] : rounds
  return (
    <Panel title={copy.title}>
      {matches.length === 0 && <p>{isSecret ? tournamentsCopy.draw.secretTeams : copy.none}</p>}
      <div className="space-y-6">
        {ordered.map((round) => {
          const name = roundName(round, maxRound)
          const points = roundPoints(round, maxRound)
          const played = matches.filter((match) => match.round === round)
          const isCurrent = isRunning && round === current_round
          return (
            <section key={round} aria-label={name}>
              <h3 className="mb-2 flex flex-wrap items-center gap-2 text-base">
                {name}
                <span className="text-sm font-normal text-soft">{copy.points(points)}</span>
                {isCurrent && <Badge tone="waiting">{copy.current}</Badge>}
              </h3>
              {isCurrent && isReferee ? (
                <RoundResults key={round} tournamentId={id} round={{ name, points }} matches={played} />
              ) : (
                <ul className="grid gap-x-6 gap-y-1 sm:grid-cols-2">
                  {played.map((match) => (
                    <li key={match.id}>
                      <MatchLine match={match} />
                    </li>
                  ))}
                </ul>
              )}
            </section>
          )
        })}
      </div>
    </Panel>
  )
}

function MatchLine({ match }: { match: OperatorMatch }) {
  const { team_one, team_two, team1_win_count, team2_win_count, winning_team_id, team1_id, team2_id } = match
  const missing = winning_team_id === null && !match.is_void ? copy.waiting : copy.bye
  const side = (name: string | undefined, id: string | null) =>
    id !== null && id === winning_team_id ? <strong>{name}</strong> : (name ?? missing)
  return (
    <span className="flex flex-wrap gap-x-2">
      <span className="text-soft">{copy.match(match.position)}</span>
      {side(team_one?.team_name, team1_id)}
      <span className="tabular-nums">
        {team1_win_count}–{team2_win_count}
      </span>
      {side(team_two?.team_name, team2_id)}
    </span>
  )
}

/** What was typed for one match, and the state of the match it was typed for. */
type Typed = { one: string; two: string; absent: string; updated_at: string }

const typedOf = (match: OperatorMatch): Typed => ({
  one: String(match.team1_win_count),
  two: String(match.team2_win_count),
  absent: String(match.absent_side ?? ''),
  updated_at: match.updated_at,
})

type ResultsProps = {
  tournamentId: string
  round: { name: string; points: number }
  matches: readonly OperatorMatch[]
}

/** All results of a round in one form: what was changed is saved at once, by Enter or the button. */
export function RoundResults({ tournamentId, round, matches }: ResultsProps) {
  const [typed, setTyped] = useState<Record<string, Typed>>({})
  const [reason, setReason] = useState<string>(copy.reasonOf(round.name))
  const refresh = useRefresh()
  const { send, isSending } = useSend(operatorTournaments.saveResults, {
    onDone: () => {
      setTyped({})
      refresh()
    },
    onFailed: (error) => {
      // The rows then show what somebody else has entered.
      if (isConflict(error)) refresh()
      reportFailure(error)
    },
  })
  const forget = ({ id }: OperatorMatch) =>
    setTyped(Object.fromEntries(Object.entries(typed).filter(([match]) => match !== id)))
  const change = (match: OperatorMatch, part: Partial<Typed>) =>
    setTyped({ ...typed, [match.id]: { ...(typed[match.id] ?? typedOf(match)), ...part } })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const results = Object.entries(typed).map(([match_id, { one, two, absent, updated_at }]) => ({
      match_id,
      team1_win_count: Number(one),
      team2_win_count: Number(two),
      absent_side: absent === '' ? null : (Number(absent) as 1 | 2),
      updated_at,
    }))
    void send({ params: { id: tournamentId }, body: { results, reason } })
  }
  return (
    <form className="space-y-3" onSubmit={submit}>
      <p className="text-sm text-soft">{copy.hint}</p>
      <ol className="space-y-2">
        {matches.map((match) => (
          <li key={match.id}>
            <MatchRow
              match={match}
              points={round.points}
              shown={typed[match.id] ?? typedOf(match)}
              onChange={(part) => change(match, part)}
            />
            {(typed[match.id]?.updated_at ?? match.updated_at) !== match.updated_at && (
              <Theirs
                match={match}
                onKeep={() => change(match, { updated_at: match.updated_at })}
                onTake={() => forget(match)}
              />
            )}
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap items-end gap-3">
        <Field
          label={copy.reason}
          frameClass="w-80 max-w-full"
          value={reason}
          maxLength={500}
          onChange={({ target }) => setReason(target.value)}
        />
        <Button type="submit" isBusy={isSending} disabled={Object.keys(typed).length === 0}>
          {copy.save}
        </Button>
      </div>
    </form>
  )
}

type TheirsProps = { match: OperatorMatch; onKeep: () => void; onTake: () => void }

/** A result that somebody else entered while the reader was typing another. */
function Theirs({ match, onKeep, onTake }: TheirsProps) {
  const { team1_win_count, team2_win_count, absent_side, team_one, team_two } = match
  const result = `${team1_win_count}–${team2_win_count}`
  const absent = absent_side === null ? null : absent_side === 1 ? team_one : team_two
  return (
    <Alert>
      <p>{copy.theirs(absent === null ? result : copy.absentTeam(result, absent.team_name))}</p>
      <div className="mt-2 flex flex-wrap gap-3">
        <Button kind="plain" onClick={onTake}>
          {copy.takeTheirs}
        </Button>
        <Button kind="plain" onClick={onKeep}>
          {copy.keepMine}
        </Button>
      </div>
    </Alert>
  )
}

type RowProps = {
  match: OperatorMatch
  points: number
  shown: Typed
  onChange: (part: Partial<Typed>) => void
}

function MatchRow({ match, points, shown, onChange }: RowProps) {
  const { team1_id, team2_id, team_one, team_two, winning_team_id } = match
  const label = copy.match(match.position)
  if (team1_id === null || team2_id === null) {
    return (
      <p className="rounded-lg bg-sunken px-3 py-2">
        {label}: {team_one?.team_name ?? team_two?.team_name ?? copy.waiting} ({copy.bye})
      </p>
    )
  }
  const side = (name: string, id: string, key: 'one' | 'two') => (
    <label className="flex min-w-0 flex-1 items-center gap-2">
      <span className={`min-w-0 flex-1 wrap-anywhere ${winning_team_id === id ? 'font-bold text-leaf' : ''}`}>
        {name}
      </span>
      <input
        className={`${fieldBox} w-16! border-line-strong text-right tabular-nums`}
        type="number"
        inputMode="numeric"
        min={0}
        max={points}
        aria-label={copy.wins(label, name)}
        value={shown[key]}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => onChange({ [key]: target.value })}
      />
    </label>
  )
  const [one, two] = [team_one?.team_name ?? '', team_two?.team_name ?? '']
  return (
    <fieldset className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line px-3 py-2">
      <legend className="px-1 text-sm text-soft">{label}</legend>
      {side(one, team1_id, 'one')}
      {side(two, team2_id, 'two')}
      <label className="flex items-center gap-2 text-sm max-sm:w-full">
        {copy.absent}
        <select
          className={`${fieldBox} w-44! border-line-strong`}
          value={shown.absent}
          onChange={({ target }) => onChange({ absent: target.value })}
        >
          <option value="">{copy.nobody}</option>
          <option value="1">{one}</option>
          <option value="2">{two}</option>
        </select>
      </label>
    </fieldset>
  )
}
