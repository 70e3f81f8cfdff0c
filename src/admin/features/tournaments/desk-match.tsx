import { serverNow } from '#client/server-clock.ts'
import { useEffect, useState } from 'react'
import type { OperatorMatch } from '#contract/operator/tournaments.ts'
import { CALL_SECONDS, type Side } from '#contract/tournament-rules.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { deskCopy as copy } from './desk.copy.ts'
import type { DeskAct } from './desk-queue.ts'

export type Score = { games1: number; games2: number; absent: readonly Side[] }

export const isDecided = ({ winning_team_id, is_void }: OperatorMatch) => winning_team_id !== null || is_void

/** Both sides are known: there is something to play, or to correct. */
export const hasSides = ({ team1_id, team2_id }: OperatorMatch) => team1_id !== null && team2_id !== null

export const namesOf = ({ team_one, team_two }: OperatorMatch): readonly [string, string] => [
  team_one?.team_name ?? copy.bye,
  team_two?.team_name ?? copy.bye,
]

export const scoreOf = (match: OperatorMatch): Score => ({
  games1: match.team1_win_count,
  games2: match.team2_win_count,
  absent: match.is_void ? [1, 2] : match.absent_side === null ? [] : [match.absent_side],
})

type ScoreProps = {
  names: readonly [string, string]
  points: number
  score: Score
  onScore: (score: Score) => void
  /** Who is there, while that is noted. */
  present?: readonly [boolean, boolean]
  onPresent?: (side: Side, isPresent: boolean) => void
}

const toggle =
  'min-h-11 grow rounded-lg border border-line-strong px-1 text-sm font-bold hover:bg-sunken disabled:text-soft aria-pressed:border-leaf aria-pressed:bg-leaf-wash aria-pressed:text-leaf'
const absentToggle = `${toggle} aria-pressed:border-vermilion aria-pressed:bg-wash aria-pressed:text-vermilion`
const step =
  'grid min-h-14 min-w-9 grow place-items-center rounded-lg border border-line-strong text-2xl font-bold hover:bg-sunken disabled:border-line disabled:text-soft'

type GamesProps = {
  name: string
  games: number
  mayAdd: boolean
  mayTake: boolean
  onGames: (games: number) => void
}

function Games({ name, games, mayAdd, mayTake, onGames }: GamesProps) {
  return (
    <div className="flex items-center gap-1">
      <button
        type="button"
        className={step}
        aria-label={copy.less(name)}
        disabled={!mayTake}
        onClick={() => onGames(games - 1)}
      >
        −
      </button>
      <output
        className="min-w-10 grow text-center text-4xl font-bold tabular-nums"
        aria-label={copy.games(name, games)}
      >
        {games}
      </output>
      <button
        type="button"
        className={step}
        aria-label={copy.more(name)}
        disabled={!mayAdd}
        onClick={() => onGames(games + 1)}
      >
        +
      </button>
    </div>
  )
}

/** The games of both sides, one tap each, and who did not come. */
export function ScoreBoard({ names, points, score, onScore, present, onPresent }: ScoreProps) {
  const games = [score.games1, score.games2] as const
  const isWon = games.includes(points)
  const withAbsent = (side: Side, isAbsent: boolean) =>
    onScore({
      ...score,
      absent: isAbsent ? [...score.absent, side].sort() : score.absent.filter((one) => one !== side),
    })
  return (
    <div className="grid grid-cols-2 gap-x-3">
      {([1, 2] as const).map((side) => {
        const [name, own, other] = [names[side - 1] ?? '', games[side - 1] ?? 0, games[2 - side] ?? 0]
        const isAbsent = score.absent.includes(side)
        return (
          <div key={side} role="group" aria-label={name} className="flex min-w-0 flex-col justify-end gap-2">
            <p className="line-clamp-2 text-center leading-tight font-bold wrap-anywhere">{name}</p>
            <div className="flex gap-2">
              {present && onPresent && (
                <button
                  type="button"
                  className={toggle}
                  aria-label={copy.presentOf(name)}
                  aria-pressed={present[side - 1] ?? false}
                  onClick={() => onPresent(side, !present[side - 1])}
                >
                  {copy.present}
                </button>
              )}
              <button
                type="button"
                className={absentToggle}
                aria-label={copy.absentOf(name)}
                aria-pressed={isAbsent}
                disabled={!isAbsent && (isWon || own > other)}
                onClick={() => withAbsent(side, !isAbsent)}
              >
                {copy.absent}
              </button>
            </div>
            <Games
              name={name}
              games={own}
              mayAdd={!isWon && score.absent.length === 0}
              mayTake={own > 0 && score.absent.length === 0}
              onGames={(count) => onScore({ ...score, [side === 1 ? 'games1' : 'games2']: count })}
            />
          </div>
        )
      })}
    </div>
  )
}

const TICK_MS = 250

type Clock = { calledAt: string; pausedAt: string | null }

/** The seconds that called teams have left, which stand still while the tournament is paused. */
function Countdown({ calledAt, pausedAt }: Clock) {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  const until = pausedAt === null ? now : Date.parse(pausedAt)
  const seconds = CALL_SECONDS - Math.floor((until - Date.parse(calledAt)) / 1_000)
  const left = Math.max(0, Math.min(CALL_SECONDS, seconds))
  return (
    <span role="timer" className="tabular-nums">
      <Badge tone={left === 0 ? 'danger' : 'waiting'}>
        {left === 0 ? copy.minuteOver : copy.secondsLeft(left)}
        {pausedAt !== null && ` · ${copy.paused}`}
      </Badge>
    </span>
  )
}

type Props = {
  match: OperatorMatch
  /** Such as “Trận 3” or “Chung kết”. */
  title: string
  points: number
  pausedAt: string | null
  onAct: (act: DeskAct) => void
}

/** A match of the round being played: its call, who is there, and its games. */
export function DeskMatch({ match, title, points, pausedAt, onAct }: Props) {
  const { id, called_at, team1_present, team2_present } = match
  const isOpen = !isDecided(match)
  const score = scoreOf(match)
  const save = (to: Score) => onAct({ kind: 'result', match: id, ...to })
  const hasStarted = score.games1 + score.games2 > 0
  return (
    <section aria-label={title} className="rounded-xl border border-line bg-raised p-3">
      <div className="mb-2 flex min-h-11 flex-wrap items-center justify-between gap-2">
        <h3 className="text-base">{title}</h3>
        {isOpen && called_at !== null && !hasStarted && (
          <Countdown calledAt={called_at} pausedAt={pausedAt} />
        )}
        {isOpen && !hasStarted && (
          <Button
            kind={called_at === null ? 'main' : 'plain'}
            disabled={pausedAt !== null}
            onClick={() => onAct({ kind: 'call', match: id })}
          >
            {called_at === null ? copy.call : copy.callAgain}
          </Button>
        )}
      </div>
      <ScoreBoard
        names={namesOf(match)}
        points={points}
        score={score}
        onScore={save}
        {...(isOpen && {
          present: [team1_present, team2_present] as const,
          onPresent: (side: Side, is_present: boolean) =>
            onAct({ kind: 'present', match: id, side, is_present }),
        })}
      />
      {isOpen && called_at !== null && (
        // It stays where it is, so that the first game does not move the matches below.
        <Button
          kind="plain"
          className="mt-2 w-full"
          disabled={hasStarted}
          onClick={() => save({ ...score, absent: [1, 2] })}
        >
          {copy.bothAbsent}
        </Button>
      )}
    </section>
  )
}

/** How a decided match ended, on one line. */
export function resultText(match: OperatorMatch): string {
  const [one, two] = namesOf(match)
  if (!hasSides(match)) return match.is_void ? copy.nobody : `${match.team_one ? one : two} (${copy.bye})`
  const score = copy.queue.score(one, match.team1_win_count, match.team2_win_count, two)
  const absent = scoreOf(match).absent.map((side) => copy.absentOf(side === 1 ? one : two))
  const [name] = absent.length === 1 ? absent : []
  return match.is_void
    ? `${one} – ${two}: ${copy.bothAbsent.toLowerCase()}`
    : name
      ? `${score}, ${name}`
      : score
}
