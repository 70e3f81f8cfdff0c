import type { Tournament } from '#contract/tournaments.ts'
import { formatMoment } from '#contract/format.ts'
import type { Step } from '#web/features/tournaments/steps.ts'
import { tournamentCopy as copy } from '#web/features/tournaments/tournament.copy.ts'

/** The way of a tournament in four steps; the one it is at is marked. */
export function StepLine({ steps, tournament }: { steps: readonly Step[]; tournament: Tournament }) {
  const moments = {
    registration: tournament.registration_start_at,
    matches: tournament.competition_start_at,
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
          {name in moments && (
            <span className="block text-xs tabular-nums">
              {formatMoment(moments[name as keyof typeof moments])}
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}
