import type { Tournament } from '#contract/tournaments.ts'
import { nextDate, waitText } from '#web/features/tournaments/schedule.ts'
import { PhaseBadge, PosterArt, factsCopy, formatText } from '#web/features/tournaments/tournament-facts.tsx'
import { sizeText } from '#web/features/tournaments/rules-facts.ts'
import { tournamentCopy as copy } from '#web/features/tournaments/tournament.copy.ts'
import { formatMoment } from '#contract/format.ts'
import { tournamentPhase } from '#contract/tournament-phase.ts'
import { championOf, type Round } from '#web/features/tournaments/bracket.ts'

type PosterProps = {
  tournament: Tournament
  now_ms: number
  /** The name of the round being played. */
  live: string | null
}

/** The head of a tournament's page: what it is, its state, and its prize. */
export function Poster({ tournament, now_ms, live }: PosterProps) {
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

/** The four steps of a tournament; the current one is marked. */
export function StepLine({ steps, tournament }: { steps: readonly Step[]; tournament: Tournament }) {
  const { closed_at, drawn_at, finished_at } = tournament
  const at = (moment: string | null, otherwise: string) =>
    moment === null ? otherwise : formatMoment(moment)
  const moments: Record<StepName, string> = {
    registration: formatMoment(tournament.registration_start_at),
    draw: at(drawn_at ?? closed_at, copy.later.draw),
    matches: formatMoment(tournament.competition_start_at),
    final: at(finished_at, copy.later.final),
  }
  return (
    <ol
      aria-label={copy.stepsLabel}
      className="mt-4 grid grid-cols-2 gap-x-2 gap-y-3 min-[20rem]:grid-cols-4"
    >
      {steps.map(({ name, state }) => (
        <li
          key={name}
          aria-current={state === 'now' ? 'step' : undefined}
          className={`border-t-4 pt-1.5 text-xs sm:text-sm ${state === 'next' ? 'border-line' : 'border-vermilion'} ${state === 'now' ? '' : 'text-soft'}`}
        >
          <strong className="block">{copy.steps[name]}</strong>
          {state === 'done' && <span className="sr-only">{copy.stepDone}</span>}
          <span className="block text-xs tabular-nums">{moments[name]}</span>
        </li>
      ))}
    </ol>
  )
}

type StepName = 'registration' | 'draw' | 'matches' | 'final'
type Step = { name: StepName; state: 'done' | 'now' | 'next' }

const STEPS: readonly StepName[] = ['registration', 'draw', 'matches', 'final']

/** The steps of a tournament and their states. A cancelled one has no current step. */
export function stepsOf(tournament: Tournament, rounds: readonly Round[], now_ms: number): readonly Step[] {
  const now = placeOf(tournament, rounds, now_ms)
  return STEPS.map((name, place) => ({
    name,
    state: place < now ? 'done' : place === now ? 'now' : 'next',
  }))
}

/** How many steps lie behind, -1 before the first has begun. */
function placeOf(tournament: Tournament, rounds: readonly Round[], now_ms: number): number {
  switch (tournamentPhase(tournament, new Date(now_ms))) {
    case 'announced':
    case 'cancelled':
      return -1
    case 'registering':
      return 0
    case 'drawing':
      return 1
    case 'running':
      if (championOf(rounds)) return STEPS.length
      return tournament.current_round === rounds.at(-1)?.round ? 3 : 2
    case 'finished':
      return STEPS.length
  }
}
