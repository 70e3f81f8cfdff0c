import { useId } from 'react'
import { Badge } from '#ui/badge.tsx'
import { PageState } from '#ui/page-state.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { sidesOf, type Round } from '#web/features/tournaments/bracket.ts'
import { MatchCard, type Following } from '#web/features/tournaments/match-card.tsx'
import { tournamentCopy as copy } from '#web/features/tournaments/tournament.copy.ts'
import type { Match } from '#contract/tournaments.ts'

type Props = {
  rounds: readonly Round[]
  /** The round being played, null when none is. */
  currentRound: number | null
  /** The round that phones show. */
  chosen: Round | undefined
  onChoose: (round: number) => void
  following: Following
}

/** The matches: on phones one round at a time, on wide screens the tree, which is also all there is without scripts. */
export function BracketView({ rounds, currentRound, chosen, onChoose, following }: Props) {
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

type TreeProps = Pick<Props, 'rounds' | 'currentRound' | 'following'>

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

/** What a match is on the way of the followed team: where it won, or where it plays or lost. */
function trailAt(match: Match, teamId: string | null): 'won' | 'here' | undefined {
  const own = sidesOf(match).find(({ id }) => id !== null && id === teamId)
  if (!own) return undefined
  return own.isWinner ? 'won' : 'here'
}
