import type { Match } from '#contract/tournaments.ts'
import { Icon } from '#ui/icon.tsx'
import { sidesOf, type Round, type Side } from '#web/features/tournaments/bracket.ts'
import { tournamentCopy as copy } from '#web/features/tournaments/tournament.copy.ts'

/** The team whose way is marked, and how another is chosen; the same one again ends it. */
export type Following = { teamId: string | null; onFollow: (teamId: string) => void }

type Props = { match: Match; round: Round; following: Following }

/** One match. A team's line is a button that follows it. */
export function MatchCard({ match, round, following }: Props) {
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
