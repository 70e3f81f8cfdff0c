import { memo, useId, useRef, type TouchEvent } from 'react'
import { Badge } from '#ui/badge.tsx'
import { PageState } from '#ui/page-state.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { matchState, sidesOf, type Round, type Side } from '#web/features/tournaments/bracket.ts'
import { tournamentCopy as copy } from '#web/features/tournaments/tournament.copy.ts'
import type { Match } from '#contract/tournaments.ts'
import { Icon } from '#ui/icon.tsx'

type ViewProps = {
  rounds: readonly Round[]
  /** The round being played, null when none is. */
  currentRound: number | null
  /** The round that phones show. */
  chosen: Round | undefined
  onChoose: (round: number) => void
  following: Following
}

/** The matches: on phones one round at a time, on wide screens the tree, which is also all there is without scripts. */
export function BracketView({ rounds, currentRound, chosen, onChoose, following }: ViewProps) {
  const swipe = useSwipe((step) => {
    const next = chosen && rounds[rounds.indexOf(chosen) + step]
    if (next) onChoose(next.round)
  })
  if (!chosen) return <PageState title={copy.noSchedule} text={copy.noScheduleMore} />
  return (
    <>
      <div className="round-tabs while-scripting lg:hidden">
        <Tabs
          label={copy.rounds}
          tabs={rounds.map(({ round, name }) => ({ id: String(round), label: name }))}
          chosenId={String(chosen.round)}
          onChoose={(id) => onChoose(Number(id))}
        >
          <div {...swipe}>
            <RoundNote round={chosen} isCurrent={chosen.round === currentRound} />
            <Matches round={chosen} following={following} className="grid gap-3 sm:grid-cols-2" />
          </div>
        </Tabs>
      </div>
      <Tree rounds={rounds} currentRound={currentRound} following={following} />
    </>
  )
}

/** A finger has moved at least so far to the side, and twice as far as up or down. */
const SWIPE_PX = 60

/** Calls back with 1 when a finger moves to the left, to what is next, and with -1 when it moves to the right. */
function useSwipe(onSwipe: (step: 1 | -1) => void) {
  const from = useRef<{ x: number; y: number } | null>(null)
  return {
    onTouchStart({ touches }: TouchEvent) {
      const finger = touches[0]
      from.current = touches.length === 1 && finger ? { x: finger.clientX, y: finger.clientY } : null
    },
    onTouchEnd({ changedTouches }: TouchEvent) {
      const finger = changedTouches[0]
      if (!from.current || !finger) return
      const [x, y] = [finger.clientX - from.current.x, finger.clientY - from.current.y]
      if (Math.abs(x) >= SWIPE_PX && Math.abs(x) > 2 * Math.abs(y)) onSwipe(x < 0 ? 1 : -1)
    },
  }
}

function RoundNote({ round, isCurrent }: { round: Round; isCurrent: boolean }) {
  return (
    <p className="mb-3 flex min-h-7 flex-wrap items-center gap-x-3 text-sm text-soft">
      {copy.points(round.points)}
      {isCurrent && <Badge tone="danger">{copy.now}</Badge>}
    </p>
  )
}

type TreeProps = Pick<ViewProps, 'rounds' | 'currentRound' | 'following'>

function Tree({ rounds, currentRound, following }: TreeProps) {
  const section = (round: Round) => (
    <RoundSection
      key={round.round}
      round={round}
      isCurrent={round.round === currentRound}
      following={following}
    />
  )
  return (
    <>
      <div className="bracket-tree">{rounds.filter(({ isForLosers }) => !isForLosers).map(section)}</div>
      <div className="bracket-tree mt-8">{rounds.filter(({ isForLosers }) => isForLosers).map(section)}</div>
    </>
  )
}

function RoundSection({
  round,
  isCurrent,
  following,
}: {
  round: Round
  isCurrent: boolean
  following: Following
}) {
  const titleId = useId()
  return (
    <section
      aria-labelledby={titleId}
      className={`bracket-round flex min-w-44 flex-1 flex-col ${round.isForLosers ? 'lg:max-w-72' : ''}`}
    >
      <h3 id={titleId} className="text-base">
        {round.name}
      </h3>
      <RoundNote round={round} isCurrent={isCurrent} />
      <Matches round={round} following={following} className="flex flex-1 flex-col" />
    </section>
  )
}

type MatchesProps = { round: Round; following: Following; className: string }

/** Rendered again only when one of them has changed: an event changes few rounds of a large bracket. */
const Matches = memo(MatchList, (before, after) => {
  const [one, other] = [before.round.matches, after.round.matches]
  return (
    before.following.teamId === after.following.teamId &&
    before.following.onFollow === after.following.onFollow &&
    one.length === other.length &&
    one.every((match, index) => match === other[index])
  )
})

function MatchList({ round, following, className }: MatchesProps) {
  if (round.matches.length === 0) return <p className="py-3 text-soft">{copy.roundEmpty}</p>
  return (
    <ol className={className}>
      {round.matches.map((match) => (
        <li key={match.id} className="bracket-slot" data-trail={trailAt(match, following.teamId)}>
          <MatchCard
            match={match}
            isForLosers={round.isForLosers}
            teamId={following.teamId}
            onFollow={following.onFollow}
          />
        </li>
      ))}
    </ol>
  )
}

/** The role of a match for the followed team: won, or played or lost. */
function trailAt(match: Match, teamId: string | null): 'won' | 'here' | undefined {
  const own = sidesOf(match).find(({ id }) => id !== null && id === teamId)
  if (!own) return undefined
  return own.isWinner ? 'won' : 'here'
}

/** The followed team, and the function that follows another; the same one again ends it. */
type Following = { teamId: string | null; onFollow: (teamId: string) => void }

type CardProps = { match: Match; isForLosers: boolean } & Following

const stateLabels = {
  open: copy.notPlayed,
  called: copy.calling,
  running: copy.now,
  void: copy.voidMatch,
  decided: null,
} as const

/** One match, rendered again only when it has changed. A team's line is a button that follows it. */
const MatchCard = memo(function MatchCard({ match, isForLosers, teamId, onFollow }: CardProps) {
  const sides = sidesOf(match)
  const state = matchState(match)
  const isPlayed = state === 'decided' || state === 'running'
  const undecided = isForLosers ? copy.waitsForLoser : copy.waitsForWinner
  const isOpen = state !== 'decided' && state !== 'void'
  const isFollowed = sides.some(({ id }) => id !== null && id === teamId)
  const label = state === 'void' && sides.some(({ id }) => id === null) ? copy.voidEmpty : stateLabels[state]
  return (
    <div
      className={`match-card overflow-hidden rounded-lg border bg-raised ${isFollowed ? 'border-vermilion ring-1 ring-vermilion' : 'border-line-strong'}`}
    >
      <p className="flex justify-between gap-3 bg-sunken px-3 py-0.5 text-xs text-soft">
        <span>{copy.match(match.position)}</span>
        {label !== null && (
          <span className={state === 'open' ? '' : 'font-bold text-vermilion'}>{label}</span>
        )}
      </p>
      {sides.map((side, index) => (
        <SideLine
          key={side.id ?? `open-${index}`}
          side={side}
          isPlayed={isPlayed}
          undecided={isOpen ? undecided : copy.bye}
          isFollowed={side.id !== null && side.id === teamId}
          onFollow={onFollow}
        />
      ))}
    </div>
  )
})

type SideProps = {
  side: Side
  isPlayed: boolean
  undecided: string
  isFollowed: boolean
  onFollow: Following['onFollow']
}

const lineClass =
  'flex min-h-11 w-full items-center gap-2 border-t border-line px-3 py-1 text-left lg:min-h-9'

function SideLine({ side, isPlayed, undecided, isFollowed, onFollow }: SideProps) {
  const { id, name, wins, isWinner, isAbsent } = side
  if (id === null) return <p className={`${lineClass} text-soft italic`}>{undecided}</p>
  return (
    <button
      type="button"
      aria-pressed={isFollowed}
      onClick={() => onFollow(id)}
      className={`team-line ${lineClass} focus-visible:-outline-offset-3 ${isWinner ? 'font-bold' : ''} ${isFollowed ? 'bg-wash' : 'hover:bg-sunken'}`}
    >
      <span className="min-w-0 flex-1 wrap-anywhere">{name}</span>
      {isWinner && (
        <span className="flex shrink-0 items-center gap-1 text-sm text-leaf">
          <Icon name="check" className="size-4" />
          <span className="lg:sr-only">{copy.won}</span>
        </span>
      )}
      {isAbsent && <span className="shrink-0 text-sm text-soft">{copy.absent}</span>}
      {isPlayed && <span className="min-w-6 shrink-0 text-right text-lg tabular-nums">{wins}</span>}
    </button>
  )
}
