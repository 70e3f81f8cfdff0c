import { Link } from 'react-router'
import { Loaded } from '#admin/kit/loaded.tsx'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'
import { setupGuideCall, type SetupState } from '#contract/operator/setup-guide.ts'
import { Badge } from '#ui/badge.tsx'
import { Icon } from '#ui/icon.tsx'
import { setupGuideCopy as copy, stepTexts } from './setup-guide.copy.ts'

/** What a new portal needs before it opens; the portal ticks it. */
export function Component() {
  return (
    <ScreenFrame>
      <p className="max-w-3xl">{copy.intro}</p>
      <Loaded query={read(setupGuideCall)}>
        {(steps) => (
          <>
            <p role="status" className="font-bold">
              {copy.progress(steps.filter(({ is_done }) => is_done).length, steps.length)}
            </p>
            <ol className="grid max-w-5xl items-start gap-3 lg:grid-cols-2">
              {steps.map((step) => (
                <Step key={step.name} step={step} />
              ))}
            </ol>
          </>
        )}
      </Loaded>
    </ScreenFrame>
  )
}

function Step({ step: { name, is_done, missing } }: { step: SetupState }) {
  const { label, text, to, act } = stepTexts[name]
  const parts = missing.map((part) => copy.parts[part] ?? part)
  return (
    <li
      data-step={name}
      data-done={is_done ? '' : undefined}
      className="flex gap-3 rounded-xl border border-line bg-raised p-4"
    >
      <span className={is_done ? 'text-leaf' : 'text-soft'}>
        <Icon name={is_done ? 'check' : 'clock'} />
      </span>
      <div className="min-w-0 grow space-y-2">
        <h2 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-base">
          {label}
          <Badge tone={is_done ? 'success' : 'waiting'}>{is_done ? copy.done : copy.open}</Badge>
        </h2>
        {!is_done && <p className="text-[0.9375rem] text-soft">{text}</p>}
        {parts.length > 0 && <p className="text-[0.9375rem]">{copy.missing(parts.join(', '))}</p>}
        {!is_done && <p>{'page' in to ? <a href={to.page}>{act}</a> : <Link to={to.screen}>{act}</Link>}</p>}
      </div>
    </li>
  )
}
