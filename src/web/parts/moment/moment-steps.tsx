import { Icon, type IconName } from '#ui/icon.tsx'
import type { MomentStep } from '#web/parts/moment/moment.ts'

const icons: Record<MomentStep['state'], IconName> = {
  done: 'check',
  now: 'clock',
  later: 'clock',
  failed: 'close',
}

/** The way from the first step to the last, side by side. */
export function MomentSteps({ steps }: { steps: readonly MomentStep[] }) {
  return (
    <ol className="moment-steps">
      {steps.map(({ name, at, state }) => (
        <li key={name} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
          <span className="moment-dot">
            <Icon name={icons[state]} className="size-4" />
          </span>
          <strong className="block leading-snug">{name}</strong>
          {at !== null && <span className="block text-xs text-soft tabular-nums">{at}</span>}
        </li>
      ))}
    </ol>
  )
}
