import { useState } from 'react'
import { labels } from '#admin/kit/kit.copy.ts'
import { ToggleButton } from '#admin/kit/toggle-button.tsx'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { overviewCopy as copy } from './overview.copy.ts'
import { PERIODS, type Period, usePeriod } from './period.ts'

const NAMES = [
  'today',
  '7',
  '30',
  '90',
  'last-week',
  'this-month',
  'last-month',
] as const satisfies readonly (keyof typeof PERIODS)[]

/** One choice for all figures of the screen. */
export function PeriodBar() {
  const { period, choose } = usePeriod()
  const [isOwn, setOwn] = useState(period.name === 'own')
  return (
    <div className="space-y-3">
      <div
        // One line on a phone, so that the figures begin on its first screen.
        className="-mx-3 flex gap-2 overflow-x-auto px-3 py-1 *:shrink-0 sm:mx-0 sm:flex-wrap sm:px-0"
        role="group"
        aria-label={copy.period}
      >
        {NAMES.map((name) => (
          <ToggleButton
            key={name}
            isPressed={!isOwn && period.name === name}
            onClick={() => {
              setOwn(false)
              choose(name)
            }}
          >
            {copy.periods[name]}
          </ToggleButton>
        ))}
        <ToggleButton isPressed={isOwn} onClick={() => setOwn(true)}>
          {copy.periods.own}
        </ToggleButton>
      </div>
      {isOwn && (
        <OwnDays
          key={`${period.from} ${period.to}`}
          period={period}
          onChoose={(from, to) => choose([from, to])}
        />
      )}
    </div>
  )
}

type OwnProps = { period: Period; onChoose: (from: string, to: string) => void }

function OwnDays({ period, onChoose }: OwnProps) {
  const [from, setFrom] = useState(period.from)
  const [to, setTo] = useState(period.to)
  const isBackward = from !== '' && to !== '' && to < from
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (from !== '' && to !== '' && !isBackward) onChoose(from, to)
      }}
    >
      <Field label={labels.from} type="date" value={from} onChange={({ target }) => setFrom(target.value)} />
      <Field
        label={labels.to}
        type="date"
        value={to}
        error={isBackward ? copy.backward : undefined}
        onChange={({ target }) => setTo(target.value)}
      />
      <Button type="submit" kind="plain">
        {copy.show}
      </Button>
    </form>
  )
}
