import { Link } from 'react-router'
import { ActButton } from '#admin/kit/act-dialog.tsx'
import { listScreen } from '#admin/kit/data-list.tsx'
import { column, type Column } from '#admin/kit/data-table.tsx'
import { optionsOf } from '#admin/kit/filter-bar.tsx'
import { plannedTime } from '#admin/kit/format.ts'
import { PersonLink } from '#admin/kit/links.tsx'
import { settingAddress, SettingChange } from '#admin/kit/setting-value.tsx'
import { useMay } from '#admin/session/console-session.ts'
import { operatorPlannedPrices, type PlannedPrice } from '#contract/operator/setting-calls.ts'
import {
  changeFactor,
  settingDefinitions,
  type SettingKey,
  settingText,
} from '#contract/operator/settings.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'
import { plannedPricesCopy as copy } from './planned-prices.copy.ts'

const tones = {
  planned: 'waiting',
  active: 'success',
  done: 'note',
  'not-applied': 'danger',
  'not-returned': 'danger',
  cancelled: 'note',
} as const satisfies Record<PlannedPrice['state'], BadgeTone>

const labelOf = (setting: string): string => settingDefinitions[setting as SettingKey].label

const columns: readonly Column<PlannedPrice>[] = [
  column(
    'setting',
    copy.columns.setting,
    ({ setting }) => <Link to={settingAddress(setting)}>{labelOf(setting)}</Link>,
    { isText: true },
  ),
  column(
    'change',
    copy.columns.change,
    ({ setting, before, after }) => copy.change(settingText(setting, before), settingText(setting, after)),
    { onPhone: 'main' },
  ),
  column('time', copy.columns.time, plannedTime, { isText: true }),
  column('state', copy.columns.state, (plan) => <State plan={plan} />),
  column('people', copy.columns.people, ({ planned_by, approved_by }) => (
    <>
      <PersonLink person={planned_by} />
      {approved_by && (
        <>
          {', '}
          <PersonLink person={approved_by} />
        </>
      )}
    </>
  )),
  column('reason', copy.columns.reason, ({ reason }) => reason, { isText: true }),
]

/** The state, why a plan was given up, and the button to cancel it while that is possible. */
function State({ plan }: { plan: PlannedPrice }) {
  const may = useMay()
  const { state } = plan
  return (
    <div className="flex max-w-60 flex-wrap items-center justify-end gap-2 md:justify-start">
      <Badge tone={tones[state]}>{copy.states[state]}</Badge>
      {state in copy.reasons && <p>{copy.reasons[state as keyof typeof copy.reasons]}</p>}
      {state === 'planned' && may('settings.prices') && <Cancel plan={plan} />}
    </div>
  )
}

function Cancel({ plan }: { plan: PlannedPrice }) {
  const { id, setting, before, after } = plan
  const title = copy.cancelOf(labelOf(setting))
  return (
    <ActButton
      label={copy.cancel}
      kind="plain"
      aria-label={`${title}, ${plannedTime(plan)}`}
      title={title}
      endpoint={operatorPlannedPrices.cancel}
      params={{ id }}
      text={plannedTime(plan)}
    >
      {() => (
        <SettingChange
          id={setting}
          before={before}
          after={after}
          factor={changeFactor(setting, before, after)}
        />
      )}
    </ActButton>
  )
}

const filters = [{ name: 'state', label: copy.columns.state, options: optionsOf(copy.states) }]

export const Component = listScreen(operatorPlannedPrices.list, columns, filters, {
  lead: (
    <p className="max-w-3xl">
      {copy.intro} <Link to="/settings/prices">{copy.toSettings}</Link>
    </p>
  ),
  usualSort: ['id', 'DESC'],
  empty: copy.empty,
  refreshMs: 60_000,
})
