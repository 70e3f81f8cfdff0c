import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { isOfCheckIn } from '#admin/kit/setting-value.tsx'
import { kitCopy } from '#admin/kit/kit.copy.ts'
import { read } from '#admin/query.ts'
import { formatDay, formatNumber } from '#contract/format.ts'
import { LIST_REACH_MAX } from '#contract/operator/fields.ts'
import { operatorCheckIns } from '#contract/operator/promotions.ts'
import { operatorSettings } from '#contract/operator/setting-calls.ts'
import { SectionForm } from './section-form.tsx'
import { settingsCopy as copy } from './settings.copy.ts'

const query = { filter: JSON.stringify({ section: 'prices' }), range: '[0,99]' }

/** The daily check-in: whether it is on, the goods of each day, and how many took them. */
export function Component() {
  return (
    <ScreenFrame>
      <Loaded query={read(operatorSettings.list, { query })}>
        {(settings) => (
          <SectionForm section="prices" settings={settings.filter(({ id }) => isOfCheckIn(id))} />
        )}
      </Loaded>
      <Panel title={copy.checkIns}>
        <Loaded query={read(operatorCheckIns.days, {})}>{({ days }) => <Days days={days} />}</Loaded>
      </Panel>
    </ScreenFrame>
  )
}

function Days({ days }: { days: readonly { day: string; players: number }[] }) {
  const most = Math.max(1, ...days.map(({ players }) => players))
  return (
    <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-2 lg:max-w-3xl">
      {days.map(({ day, players }) => (
        <div key={day} className="flex flex-wrap items-center gap-x-3 tabular-nums">
          <dt className="min-w-24 shrink-0 whitespace-nowrap">{formatDay(`${day}T00:00:00+07:00`)}</dt>
          <dd className="flex min-w-0 grow basis-20 items-center gap-2">
            <svg
              aria-hidden="true"
              viewBox="0 0 100 1"
              preserveAspectRatio="none"
              className="h-2 w-0 max-w-60 grow rounded bg-sunken"
            >
              <rect width={(100 * players) / most} height={1} className="fill-leaf" />
            </svg>
            {players >= LIST_REACH_MAX ? kitCopy.list.more : formatNumber(players)}
          </dd>
        </div>
      ))}
    </dl>
  )
}
