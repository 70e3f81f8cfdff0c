import type { Tournament } from '#contract/tournaments.ts'
import { nextDate, waitText } from '#web/features/tournaments/next-date.ts'
import { PhaseBadge } from '#web/features/tournaments/phase-badge.tsx'
import { PosterArt } from '#web/features/tournaments/poster-art.tsx'
import { sizeText } from '#web/features/tournaments/rules-facts.ts'
import { factsCopy } from '#web/features/tournaments/tournament-facts.copy.ts'
import { formatText } from '#web/features/tournaments/tournament-facts.ts'
import { tournamentCopy as copy } from '#web/features/tournaments/tournament.copy.ts'

type Props = {
  tournament: Tournament
  now_ms: number
  /** The name of the round being played. */
  live: string | null
}

/** The head of a tournament's page: what it is, where it stands, what it is played for. */
export function Poster({ tournament, now_ms, live }: Props) {
  const { name, type, prize } = tournament
  return (
    <div className="poster overflow-hidden rounded-2xl bg-night text-on-night md:grid md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <PosterArt type={type} className="h-24 w-full sm:h-32 md:order-last md:h-full" />
      <div className="space-y-2 p-4 md:space-y-3 md:p-6">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <PhaseBadge tournament={tournament} now_ms={now_ms} />
          {live !== null && <strong>{copy.liveRound(live)}</strong>}
        </p>
        <h1 className="text-2xl sm:text-3xl">{name}</h1>
        <p className="text-on-night-soft">
          {formatText(tournament)} · {sizeText(tournament)}
        </p>
        <Wait tournament={tournament} now_ms={now_ms} />
        {prize !== '' && (
          <div>
            <h2 className="text-sm font-normal text-on-night-soft">{factsCopy.prize}</h2>
            <p className="font-bold whitespace-pre-line wrap-anywhere">{prize}</p>
          </div>
        )}
      </div>
    </div>
  )
}

function Wait({ tournament, now_ms }: { tournament: Tournament; now_ms: number }) {
  const next = nextDate(tournament, now_ms)
  if (!next) return null
  return (
    <p role="timer">
      <span className="block text-sm text-on-night-soft">
        {next.of === 'registration' ? copy.untilRegistration : copy.untilCompetition}
      </span>
      <strong className="text-2xl tabular-nums">{waitText(next.left_ms)}</strong>
    </p>
  )
}
