import { useState } from 'react'
import { Link } from 'react-router'
import {
  operatorPlannedPrices,
  PLANNED_PRICE_STATES,
  type PlannedPrice,
} from '#contract/operator/setting-calls.ts'
import {
  changeFactor,
  settingDefinitions,
  type SettingKey,
  settingText,
} from '#contract/operator/settings.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { plannedPricesCopy as copy } from '#admin/features/settings/planned-prices.copy.ts'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { DataList } from '#admin/kit/data-list.tsx'
import type { Column } from '#admin/kit/data-table.tsx'
import { PersonLink } from '#admin/kit/links.tsx'
import { plannedTime } from '#admin/kit/format.ts'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { settingAddress, SettingChange } from '#admin/kit/setting-value.tsx'
import { useMay } from '#admin/session/console-session.ts'

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
  {
    name: 'setting',
    label: copy.columns.setting,
    isText: true,
    cell: ({ setting }) => <Link to={settingAddress(setting)}>{labelOf(setting)}</Link>,
  },
  {
    name: 'change',
    label: copy.columns.change,
    cell: ({ setting, before, after }) =>
      copy.change(settingText(setting, before), settingText(setting, after)),
  },
  { name: 'time', label: copy.columns.time, isText: true, cell: plannedTime },
  { name: 'state', label: copy.columns.state, cell: (plan) => <State plan={plan} /> },
  {
    name: 'people',
    label: copy.columns.people,
    cell: ({ planned_by, approved_by }) => (
      <>
        <PersonLink person={planned_by} />
        {approved_by && (
          <>
            {', '}
            <PersonLink person={approved_by} />
          </>
        )}
      </>
    ),
  },
  { name: 'reason', label: copy.columns.reason, isText: true, cell: ({ reason }) => reason },
]

/** The state, why a plan was given up, and the way to cancel it while that can be done. */
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
  const [isOpen, setOpen] = useState(false)
  const { id, setting, before, after } = plan
  const title = copy.cancelOf(labelOf(setting))
  return (
    <>
      <Button kind="plain" aria-label={`${title}, ${plannedTime(plan)}`} onClick={() => setOpen(true)}>
        {copy.cancel}
      </Button>
      {isOpen && (
        <ActDialog
          title={title}
          submitLabel={copy.cancel}
          endpoint={operatorPlannedPrices.cancel}
          params={{ id }}
          onClose={() => setOpen(false)}
        >
          {() => (
            <>
              <p>{plannedTime(plan)}</p>
              <SettingChange
                id={setting}
                before={before}
                after={after}
                factor={changeFactor(setting, before, after)}
              />
            </>
          )}
        </ActDialog>
      )}
    </>
  )
}

export function Component() {
  return (
    <ScreenFrame title={copy.title}>
      <p className="max-w-3xl">
        {copy.intro} <Link to="/settings/prices">{copy.toSettings}</Link>
      </p>
      <DataList
        endpoint={operatorPlannedPrices.list}
        label={copy.title}
        columns={columns}
        filters={[
          {
            name: 'state',
            label: copy.columns.state,
            options: PLANNED_PRICE_STATES.map((value) => ({ value, label: copy.states[value] })),
          },
        ]}
        usualSort={['id', 'DESC']}
        empty={copy.empty}
        refreshMs={60_000}
      />
    </ScreenFrame>
  )
}
