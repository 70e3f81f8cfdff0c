import { Link } from 'react-router'
import { operatorAlarms, ALARM_COUNT_MAX, type Alarm } from '#contract/operator/alarms.ts'
import { formatNumber } from '#contract/format-number.ts'
import { Alert } from '#ui/alert.tsx'
import { Figures } from '#admin/features/overview/figures.tsx'
import { Today } from '#admin/features/overview/today.tsx'
import { alarmTexts, overviewCopy as copy, runbookNames } from '#admin/features/overview/overview.copy.ts'
import { momentText } from '#admin/kit/format.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'
import { useMay } from '#admin/session/console-session.ts'

export function Component() {
  const maySeeFigures = useMay()('statistics.read')
  return (
    <ScreenFrame title={copy.title}>
      <Panel title={copy.waits}>
        <Loaded query={read(operatorAlarms.list)}>{(alarms) => <Alarms alarms={alarms} />}</Loaded>
      </Panel>
      {maySeeFigures && <Today />}
      {maySeeFigures && <Figures />}
    </ScreenFrame>
  )
}

function Alarms({ alarms }: { alarms: readonly Alarm[] }) {
  if (alarms.length === 0) return <p>{copy.nothing}</p>
  return (
    <ul className="space-y-2">
      {alarms.map((alarm) => (
        <li key={alarm.name}>
          <AlarmLine alarm={alarm} />
        </li>
      ))}
    </ul>
  )
}

function AlarmLine({ alarm: { name, count, oldest, runbook } }: { alarm: Alarm }) {
  const { label, next, to } = alarmTexts[name]
  const isCheck = name === 'audit-chain-broken' || name === 'ledger-broken'
  return (
    <Alert tone="note">
      <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <strong>
          {to === null ? label : <Link to={to}>{label}</Link>}
          {name !== 'one-person' && `: ${count >= ALARM_COUNT_MAX ? copy.many : formatNumber(count)}`}
        </strong>
        <span className="text-sm text-soft">
          {oldest !== null && (isCheck ? copy.checked : copy.since)(momentText(oldest))}
        </span>
      </span>
      <span className="block">{next}</span>
      <span className="block text-sm text-soft">
        {copy.runbook(runbookNames[runbook] ?? runbook, runbook)}
      </span>
    </Alert>
  )
}
