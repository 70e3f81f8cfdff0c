import { useEffect, useRef, useState } from 'react'
import { CALL_SECONDS } from '#contract/tournament-rules.ts'
import { formatMoment } from '#contract/format.ts'
import type { Match, Tournament } from '#contract/tournaments.ts'
import { Alert } from '#ui/alert.tsx'
import { Badge } from '#ui/badge.tsx'
import { Icon } from '#ui/icon.tsx'
import { Section } from '#ui/section.tsx'
import { useNow } from '#web/parts/time/use-now.ts'
import { matchState, sidesOf, type Round, type Side } from '#web/features/tournaments/bracket.ts'
import { calledMatches, placedSince, type Placed } from '#web/features/tournaments/live.ts'
import { tournamentCopy as copy } from '#web/features/tournaments/tournament.copy.ts'

/** What everybody has to know about how the tournament stands. */
export const StateNote = ({ children }: { children: string }) => (
  <div className="mt-4">
    <Alert tone="note">{children}</Alert>
  </div>
)

type CalledProps = {
  matches: readonly Match[]
  rounds: readonly Round[]
  ownTeamId: string | null
  /** What server and browser begin to count from. */
  start_ms: number
}

/** The matches that have been called, each with the time its teams have left and who is there. */
export function CalledMatches({ matches, rounds, ownTeamId, start_ms }: CalledProps) {
  const called = calledMatches(matches)
  const now_ms = useNow(called.length > 0, start_ms)
  if (called.length === 0) return null
  const isOwn = ({ team1_id, team2_id }: Match) =>
    ownTeamId !== null && [team1_id, team2_id].includes(ownTeamId)
  const ordered = [...called.filter(isOwn), ...called.filter((match) => !isOwn(match))]
  const roundNameOf = (match: Match) => rounds.find(({ round }) => round === match.round)?.name ?? ''
  return (
    <Section title={copy.calledMatches}>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {ordered.map((match) => (
          <li
            key={match.id}
            className={`rounded-xl border bg-raised p-3 ${isOwn(match) ? 'border-vermilion ring-1 ring-vermilion' : 'border-line-strong'}`}
          >
            <p className="flex flex-wrap items-center justify-between gap-x-3 text-sm text-soft">
              <span>
                {isOwn(match) && <strong className="text-vermilion">{copy.yourMatch} · </strong>}
                {copy.calledAt(roundNameOf(match), match.position)}
              </span>
              <CallState match={match} now_ms={now_ms} />
            </p>
            {sidesOf(match).map((side, index) => (
              <Presence
                key={side.id}
                side={side}
                isPresent={index === 0 ? match.team1_present : match.team2_present}
              />
            ))}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function CallState({ match, now_ms }: { match: Match; now_ms: number }) {
  if (matchState(match) === 'running' || (match.team1_present && match.team2_present))
    return <Badge tone="danger">{copy.now}</Badge>
  const left = Math.ceil(CALL_SECONDS - (now_ms - Date.parse(match.called_at ?? '')) / 1_000)
  return (
    <strong role="timer" translate="no" className="tabular-nums text-ink">
      {left > 0 ? copy.secondsLeft(Math.min(left, CALL_SECONDS)) : copy.callOver}
    </strong>
  )
}

function Presence({ side, isPresent }: { side: Side; isPresent: boolean }) {
  return (
    <p className="mt-1 flex items-center justify-between gap-3">
      <span className="min-w-0 font-bold wrap-anywhere">{side.name}</span>
      {side.wins > 0 ? (
        <span className="text-lg tabular-nums">{side.wins}</span>
      ) : (
        <span className={`flex shrink-0 items-center gap-1 text-sm ${isPresent ? 'text-leaf' : 'text-soft'}`}>
          {isPresent && <Icon name="check" className="size-4" />}
          {isPresent ? copy.present : copy.notPresent}
        </span>
      )}
    </p>
  )
}

type DrawProps = { tournament: Tournament; matches: readonly Match[]; now_ms: number }

/** A draw that is being shown: what comes next, and the team that has just been placed. */
export function DrawNews({ tournament, matches, now_ms }: DrawProps) {
  const placed = useLastPlaced(matches)
  const { mode, draw_public_at, team_count } = tournament
  const shown = matches.flatMap(({ team1_id, team2_id }) => [team1_id, team2_id]).filter(Boolean).length
  if (mode === 1 && draw_public_at !== null && now_ms < Date.parse(draw_public_at))
    return <Alert tone="note">{copy.drawAt(formatMoment(draw_public_at))}</Alert>
  return (
    <Alert tone="note">
      <p>{copy.drawWaits}</p>
      <p className="text-lg font-bold wrap-anywhere">{placed && copy.drawn(placed.name, placed.position)}</p>
      <p className="text-soft">{copy.drawCount(shown, team_count)}</p>
    </Alert>
  )
}

function useLastPlaced(matches: readonly Match[]): Placed | null {
  const [placed, setPlaced] = useState<Placed | null>(null)
  const before = useRef(matches)
  useEffect(() => {
    const next = placedSince(before.current, matches)
    before.current = matches
    if (next) setPlaced(next)
  }, [matches])
  return placed
}
