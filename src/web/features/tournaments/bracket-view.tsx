import type { Match } from '#contract/tournaments.ts'
import { Badge } from '#ui/badge.tsx'
import { Icon } from '#ui/icon.tsx'
import { PageState } from '#ui/page-state.tsx'
import { sidesOf, type Round, type Side } from '#web/features/tournaments/bracket.ts'
import { tournamentsCopy as copy } from '#web/features/tournaments/tournaments.copy.ts'

type Props = { rounds: readonly Round[]; currentRound: number | null }

/** The matches, round by round. `currentRound` is the one being played, null when none is. */
export function BracketView({ rounds, currentRound }: Props) {
  if (rounds.length === 0) {
    return <PageState picture="empty" title={copy.noSchedule} text={copy.noScheduleMore} />
  }
  return (
    <div className="space-y-8">
      {rounds.map((round) => (
        <RoundSection key={round.round} round={round} isCurrent={round.round === currentRound} />
      ))}
      <p className="text-sm text-soft">{copy.pointsNote}</p>
    </div>
  )
}

function RoundSection({ round, isCurrent }: { round: Round; isCurrent: boolean }) {
  const titleId = `round-${round.round}`
  return (
    <section aria-labelledby={titleId}>
      <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 id={titleId} className="text-lg">
          {round.name}
        </h3>
        <span className="text-sm text-soft">{copy.points(round.points)}</span>
        {isCurrent && <Badge tone="danger">{copy.now}</Badge>}
      </div>
      {round.matches.length === 0 ? (
        <p className="rounded-xl border border-dashed border-line-strong px-4 py-3 text-soft">
          {copy.roundEmpty}
        </p>
      ) : (
        <ol className="grid gap-3 sm:grid-cols-2">
          {round.matches.map((match) => (
            <MatchCard
              key={match.id}
              match={match}
              undecided={round.isForLosers ? copy.waitsForLoser : copy.waitsForWinner}
            />
          ))}
        </ol>
      )}
    </section>
  )
}

function MatchCard({ match, undecided }: { match: Match; undecided: string }) {
  const [first, second] = sidesOf(match)
  const isPlayed = match.winning_team_id !== null || first.wins + second.wins > 0
  const missing = match.winning_team_id === null ? undecided : copy.bye
  return (
    <li className="overflow-hidden rounded-xl border border-line bg-raised shadow-card">
      <p className="flex justify-between gap-3 bg-sunken px-3 py-1 text-xs text-soft">
        <span>{copy.match(match.position)}</span>
        {!isPlayed && <span>{copy.notPlayed}</span>}
      </p>
      <SideLine side={first} isPlayed={isPlayed} undecided={missing} />
      <SideLine side={second} isPlayed={isPlayed} undecided={missing} />
    </li>
  )
}

type SideProps = { side: Side; isPlayed: boolean; undecided: string }

function SideLine({ side, isPlayed, undecided }: SideProps) {
  const { name, wins, isWinner, isAbsent } = side
  return (
    <div
      className={`flex min-h-11 items-center gap-2 border-t border-l-4 border-t-line px-3 py-1.5 ${isWinner ? 'border-l-leaf bg-leaf-wash font-bold' : 'border-l-transparent'}`}
    >
      <span className={`min-w-0 flex-1 ${name === null ? 'text-soft italic' : ''}`}>{name ?? undecided}</span>
      {isWinner && (
        <span className="flex shrink-0 items-center gap-1 text-sm text-leaf">
          <Icon name="check" className="size-4" />
          {copy.won}
        </span>
      )}
      {isAbsent && <span className="shrink-0 text-sm text-soft">{copy.absent}</span>}
      {isPlayed && <span className="min-w-6 text-right text-lg tabular-nums">{wins}</span>}
    </div>
  )
}
