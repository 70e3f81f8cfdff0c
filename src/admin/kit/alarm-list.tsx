import { Link } from 'react-router'
import { ALARM_COUNT_MAX, operatorAlarms, type Alarm, type AlarmName } from '#contract/operator/alarms.ts'
import { formatNumber } from '#contract/format.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'
import { alarmCopy as copy, alarmTexts } from '#admin/kit/alarm.copy.ts'
import { ageText, momentText, vnd } from '#admin/kit/format.ts'
import { RunbookLink } from '#admin/kit/links.tsx'
import { Loaded } from '#admin/kit/loaded.tsx'
import { read } from '#admin/query.ts'

/** Of these the figures cannot be trusted until it is known why. */
const BROKEN: readonly AlarmName[] = ['audit-chain-broken', 'ledger-broken', 'red-closes']
/** Their moment is that of the check that found them. */
const CHECKS: readonly AlarmName[] = ['audit-chain-broken', 'ledger-broken']

type State = keyof typeof copy.states

const stateOf = ({ name, late }: Alarm): State =>
  BROKEN.includes(name) ? 'broken' : late > 0 ? 'late' : 'waiting'

const looks: Record<State, { tone: BadgeTone; box: string }> = {
  broken: { tone: 'danger', box: 'border-vermilion bg-wash' },
  late: { tone: 'danger', box: 'border-vermilion bg-sunken' },
  waiting: { tone: 'waiting', box: 'border-line-strong bg-sunken' },
}

/** All that waits for the reader, in the order of harm; or of these names only, and nothing while there are none. */
export function AlarmList({ only }: { only?: readonly AlarmName[] }) {
  return (
    <Loaded query={read(operatorAlarms.list)}>
      {(alarms) => {
        const shown = alarms.filter(({ name }) => only?.includes(name) ?? true)
        if (shown.length === 0) return only ? null : <p>{copy.nothing}</p>
        return (
          <ol className="space-y-2">
            {shown.map((alarm) => (
              <AlarmItem key={alarm.name} alarm={alarm} />
            ))}
          </ol>
        )
      }}
    </Loaded>
  )
}

function AlarmItem({ alarm }: { alarm: Alarm }) {
  const { name, runbook } = alarm
  const { label, next, to } = alarmTexts[name]
  const state = stateOf(alarm)
  return (
    <li
      data-alarm={name}
      className={`space-y-1 rounded-lg border-l-4 px-4 py-3 text-[0.9375rem] ${looks[state].box}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <strong>{to === null ? label : <Link to={to}>{label}</Link>}</strong>
          <Badge tone={looks[state].tone}>{stateText(alarm, state)}</Badge>
        </span>
        <Figures alarm={alarm} />
      </div>
      {alarm.place && (
        <p>
          {copy.firstPlace}
          <Place place={alarm.place} />
        </p>
      )}
      <p>{next}</p>
      <p className="text-sm">
        <RunbookLink file={runbook} label={copy.runbookOf(label)}>
          {copy.runbook}
        </RunbookLink>
      </p>
    </li>
  )
}

/** Of those that wait only some may be late. */
const stateText = ({ count, late }: Alarm, state: State): string =>
  state === 'late' && late < count ? copy.lateOf(formatNumber(late), formatNumber(count)) : copy.states[state]

/** How many, worth how much, and for how long the oldest has waited. */
function Figures({ alarm: { name, count, amount, oldest } }: { alarm: Alarm }) {
  if (name === 'one-person') return null
  const isCapped = count >= ALARM_COUNT_MAX
  const bounded = (text: string) => (isCapped ? copy.atLeast(text) : text)
  const sum =
    amount &&
    amount.value > 0 &&
    (amount.unit === 'VND' ? vnd(amount.value) : `${formatNumber(amount.value)} TCoin`)
  return (
    <span className="flex flex-wrap items-baseline gap-x-3 tabular-nums">
      <strong>{bounded(formatNumber(count))}</strong>
      {sum && <strong className="whitespace-nowrap">{bounded(sum)}</strong>}
      {oldest !== null && <span className="text-sm text-soft">{ageOf(name, oldest)}</span>}
    </span>
  )
}

function ageOf(name: AlarmName, oldest: string): string {
  if (CHECKS.includes(name)) return copy.checked(momentText(oldest))
  const seconds = Math.max(0, (Date.now() - Date.parse(oldest)) / 1_000)
  return copy.longest(ageText(seconds), momentText(oldest))
}

/** A place at which the audit trail does not fit, with the row where it is one. */
function Place({ place: { id, fault } }: { place: NonNullable<Alarm['place']> }) {
  if (fault === 'seal') return `${copy.faultAtSeal(id)}${copy.faults.seal}`
  return (
    <>
      <Link to={`/audit?id=${id}`}>{copy.faultAt(id)}</Link>
      {copy.faults[fault]}
    </>
  )
}
