import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { Dialog } from '#admin/kit/dialog.tsx'
import { MomentField, typedMoment } from '#admin/kit/fields.tsx'
import { momentText, plannedTime } from '#admin/kit/format.ts'
import { labels } from '#admin/kit/kit.copy.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { SettingChange, TestQr } from '#admin/kit/setting-value.tsx'
import { read } from '#admin/query.ts'
import { useMay } from '#admin/session/console-session.ts'
import { auditActionName } from '#contract/operator/audit.ts'
import {
  operatorPlannedPrices,
  type OperatorSetting,
  operatorSettings,
  type PlannedPrice,
} from '#contract/operator/setting-calls.ts'
import { changeFactor, type SettingKey, settingText } from '#contract/operator/settings.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { type Draft, problemOf } from './drafts.ts'
import { plannedPricesCopy as planned } from './planned-prices.copy.ts'
import { settingsCopy as copy } from './settings.copy.ts'
import { ValueInput } from './value-input.tsx'

type Props = {
  setting: OperatorSetting
  draft: Draft | undefined
  isWaiting: boolean
  /** What is planned for it. */
  plans: readonly PlannedPrice[]
  onDraft: (draft: Draft | undefined) => void
}

/** One setting: its value in the control of its kind, the time of its last change, its history, its test QR. */
export function SettingRow({ setting, draft, isWaiting, plans, onDraft }: Props) {
  const may = useMay()
  const [shown, setShown] = useState<'history' | 'qr' | 'plan' | null>(null)
  const row = useRef<HTMLDivElement>(null)
  const isLinked = useLocation().hash === `#${setting.id}`
  useEffect(() => {
    if (isLinked) row.current?.scrollIntoView({ block: 'center' })
  }, [isLinked])
  const text = draft?.text ?? setting.value
  const error = draft && problemOf(setting.id, draft.text)
  const isOutdated = draft !== undefined && draft.base.updated_at !== setting.updated_at
  const type = (typed: string) => onDraft({ text: typed, base: draft?.base ?? setting })
  return (
    <div
      id={setting.id}
      ref={row}
      className={`space-y-2 border-b border-line py-4 first:pt-0 last:border-0 ${isLinked ? 'bg-wash' : ''}`}
    >
      <ValueInput setting={setting} text={text} error={error} onText={type} />
      {isOutdated && (
        <Alert>
          <p>{copy.othersChanged(settingText(setting.id, setting.value))}</p>
          <Button kind="text" onClick={() => onDraft(undefined)}>
            {copy.takeTheirs}
          </Button>
          <Button kind="text" onClick={() => onDraft({ text, base: setting })}>
            {copy.keepMine}
          </Button>
        </Alert>
      )}
      {isWaiting && (
        <Alert tone="note">
          {copy.waiting} · <Link to="/proposals">{copy.proposals}</Link>
        </Alert>
      )}
      {plans.map((plan) => (
        <Alert key={plan.id} tone="note">
          {planned.planned(plannedTime(plan), settingText(setting.id, plan.after))} ·{' '}
          <Link to="/planned-prices">{planned.seeAll}</Link>
        </Alert>
      ))}
      <div className="flex flex-wrap items-center gap-x-3 text-sm text-soft">
        <span>{setting.updated_at ? copy.setAt(momentText(setting.updated_at)) : copy.neverSet}</span>
        <Button kind="text" aria-label={copy.historyOf(setting.label)} onClick={() => setShown('history')}>
          {copy.history}
        </Button>
        {setting.section === 'prices' && may('settings.prices') && (
          <Button kind="text" aria-label={planned.planOf(setting.label)} onClick={() => setShown('plan')}>
            {planned.plan}
          </Button>
        )}
        {setting.kind === 'bank-account' && text !== '' && !error && (
          <Button kind="text" onClick={() => setShown('qr')}>
            {copy.testQr}
          </Button>
        )}
      </div>
      {shown === 'history' && <HistoryDialog setting={setting} onClose={() => setShown(null)} />}
      {shown === 'plan' && <PlanDialog setting={setting} onClose={() => setShown(null)} />}
      {shown === 'qr' && (
        <Dialog title={`${copy.testQrTitle}: ${setting.label}`} onClose={() => setShown(null)}>
          <TestQr value={text} />
        </Dialog>
      )}
    </div>
  )
}

const PAGE_ROWS = 50

/** The history of a setting, the newest change first. */
function HistoryDialog({ setting, onClose }: { setting: OperatorSetting; onClose: () => void }) {
  const [before, setBefore] = useState<string>()
  const query = read(operatorSettings.history, {
    params: { key: setting.id },
    query: before === undefined ? {} : { before },
  })
  return (
    <Dialog title={copy.historyOf(setting.label)} onClose={onClose}>
      <Loaded query={query}>
        {(rows) => (
          <>
            {rows.length === 0 && <p>{copy.noHistory}</p>}
            <ol className="space-y-4">
              {rows.map((row) => (
                <li key={row.id} className="space-y-1">
                  <p>
                    <strong>{auditActionName(row.action)}</strong> · {row.actor?.username ?? labels.system} ·{' '}
                    {momentText(row.at)}
                  </p>
                  <SettingChange id={setting.id} before={row.before} after={row.after} />
                  {row.reason && <p className="text-sm text-soft">{row.reason}</p>}
                </li>
              ))}
            </ol>
            {rows.length === PAGE_ROWS && (
              <Button kind="plain" className="mt-4" onClick={() => setBefore(rows.at(-1)?.id)}>
                {copy.older}
              </Button>
            )}
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

type PlanProps = { setting: OperatorSetting; onClose: () => void }

/** Plans a change of a price: the value, when it comes, and when it goes back. */
export function PlanDialog({ setting, onClose }: PlanProps) {
  const { id, label, value: present } = setting
  return (
    <ActDialog
      title={planned.planOf(label)}
      submitLabel={planned.plan}
      endpoint={operatorPlannedPrices.plan}
      start={{ value: present, starts_at: '', ends_at: '' }}
      toBody={({ value, starts_at, ends_at, reason }) => ({
        setting: id as SettingKey,
        value,
        starts_at: typedMoment(starts_at),
        ends_at: typedMoment(ends_at) || null,
        reason,
      })}
      check={({ value, starts_at }) => {
        const problem = value === present ? planned.same : problemOf(id, value)
        return {
          ...(problem !== undefined && { value: problem }),
          ...(starts_at === '' && { starts_at: planned.noStart }),
        }
      }}
      onClose={onClose}
    >
      {(form) => {
        const { value } = form.values
        return (
          <>
            <ValueInput
              setting={setting}
              text={value}
              error={form.error('value')}
              onText={(text) => form.set('value', text)}
            />
            {value !== present && problemOf(id, value) === undefined && (
              <SettingChange
                id={id}
                before={present}
                after={value}
                factor={changeFactor(id, present, value)}
              />
            )}
            <MomentField {...form.field('starts_at')} label={planned.startsAt} />
            <MomentField
              {...form.field('ends_at')}
              label={planned.endsAt}
              hint={planned.endsHint}
              isOptional
            />
          </>
        )
      }}
    </ActDialog>
  )
}
