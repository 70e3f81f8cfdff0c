import { useId } from 'react'
import { Badge } from '#ui/badge.tsx'
import { PageState } from '#ui/page-state.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { sidesOf, type Round, type Side } from '#web/features/tournaments/bracket.ts'
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
          <RoundNote round={chosen} isCurrent={chosen.round === currentRound} />
          <Matches round={chosen} following={following} className="grid gap-3 sm:grid-cols-2" />
        </Tabs>
      </div>
      <Tree rounds={rounds} currentRound={currentRound} following={following} />
    </>
  )
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

function Matches({ round, following, className }: MatchesProps) {
  if (round.matches.length === 0) return <p className="py-3 text-soft">{copy.roundEmpty}</p>
  return (
    <ol className={className}>
      {round.matches.map((match) => (
        <li key={match.id} className="bracket-slot" data-trail={trailAt(match, following.teamId)}>
          <MatchCard match={match} round={round} following={following} />
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

type CardProps = { match: Match; round: Round; following: Following }

/** One match. A team's line is a button that follows it. */
function MatchCard({ match, round, following }: CardProps) {
  const sides = sidesOf(match)
  const isPlayed = match.winning_team_id !== null || sides[0].wins + sides[1].wins > 0
  const undecided = round.isForLosers ? copy.waitsForLoser : copy.waitsForWinner
  const missing = match.winning_team_id === null ? undecided : copy.bye
  const isFollowed = sides.some(({ id }) => id !== null && id === following.teamId)
  return (
    <div
      className={`overflow-hidden rounded-lg border bg-raised ${isFollowed ? 'border-vermilion ring-1 ring-vermilion' : 'border-line-strong'}`}
    >
      <p className="flex justify-between gap-3 bg-sunken px-3 py-0.5 text-xs text-soft">
        <span>{copy.match(match.position)}</span>
        {!isPlayed && <span>{copy.notPlayed}</span>}
      </p>
      {sides.map((side, index) => (
        <SideLine
          key={side.id ?? `open-${index}`}
          side={side}
          isPlayed={isPlayed}
          undecided={missing}
          following={following}
        />
      ))}
    </div>
  )
}

type SideProps = { side: Side; isPlayed: boolean; undecided: string; following: Following }

const lineClass =
  'flex min-h-11 w-full items-center gap-2 border-t border-line px-3 py-1 text-left lg:min-h-9'

function SideLine({ side, isPlayed, undecided, following }: SideProps) {
  const { id, name, wins, isWinner, isAbsent } = side
  if (id === null) return <p className={`${lineClass} text-soft italic`}>{undecided}</p>
  const isFollowed = id === following.teamId
  return (
    <button
      type="button"
      aria-pressed={isFollowed}
      onClick={() => following.onFollow(id)}
      className={`${lineClass} focus-visible:-outline-offset-3 ${isWinner ? 'font-bold' : ''} ${isFollowed ? 'bg-wash' : 'hover:bg-sunken'}`}
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
