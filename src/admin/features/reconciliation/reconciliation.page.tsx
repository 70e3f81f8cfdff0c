import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatNumber } from '#contract/format-number.ts'
import {
  operatorReconciliation,
  type Reconciliation,
  type ReconciliationExample,
  type ReconciliationRun,
} from '#contract/operator/reconciliation.ts'
import { Alert } from '#ui/alert.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Facts } from '#ui/facts.tsx'
import { reconciliationCopy as copy, ruleTexts } from '#admin/features/reconciliation/reconciliation.copy.ts'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { momentText } from '#admin/kit/format.ts'
import { PersonLink } from '#admin/kit/links.tsx'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { useMay } from '#admin/session/console-session.ts'
import { read } from '#admin/query.ts'

const LOOK_MS = 2_000

export function Component() {
  const [isStarting, setStarting] = useState(false)
  const mayStart = useMay()('bank-transfers.match')
  const query = read(operatorReconciliation.get)
  const { data } = useQuery({
    ...query,
    refetchInterval: ({ state }) => (state.data?.running ? LOOK_MS : false),
  })
  return (
    <ScreenFrame
      title={copy.title}
      acts={
        mayStart && (
          <Button disabled={!data || data.running !== null} onClick={() => setStarting(true)}>
            {copy.start}
          </Button>
        )
      }
    >
      <Link to="/daily-closes">{copy.closes}</Link>
      <Loaded query={query}>{(reconciliation) => <State {...reconciliation} />}</Loaded>
      {isStarting && (
        <ActDialog
          title={copy.startTitle}
          submitLabel={copy.start}
          endpoint={operatorReconciliation.start}
          onClose={() => setStarting(false)}
        >
          {() => <p>{copy.startText}</p>}
        </ActDialog>
      )}
    </ScreenFrame>
  )
}

function State({ running, last, failed_at: failedAt }: Reconciliation) {
  return (
    <div className="space-y-4">
      <div aria-live="polite" className="space-y-3">
        {running && (
          <Alert tone="note">
            {copy.running(running.by?.username ?? copy.byJob, momentText(running.asked_at))}
          </Alert>
        )}
        {failedAt !== null && <Alert>{copy.failed(momentText(failedAt))}</Alert>}
      </div>
      {last === null ? <p>{copy.never}</p> : <Run run={last} />}
    </div>
  )
}

const Run = ({ run }: { run: ReconciliationRun }) => (
  <div className="grid items-start gap-4 lg:grid-cols-[1fr_2fr]">
    <Panel title={copy.last}>
      <Facts
        facts={[
          {
            label: copy.result,
            value: run.found === 0 ? copy.whole : copy.broken(formatNumber(run.found)),
          },
          { label: copy.at, value: momentText(run.finished_at) },
          { label: copy.took, value: copy.seconds((run.took_ms / 1000).toFixed(2)) },
          { label: copy.by, value: run.by ? <PersonLink person={run.by} /> : copy.origins[run.origin] },
        ]}
      />
    </Panel>
    <Panel title={copy.rules}>
      {run.found > 0 && <p className="mb-3 text-sm text-soft">{copy.runbook}</p>}
      <ul className="space-y-3">
        {run.rules.map((one) => (
          <li key={one.rule} className="border-b border-line pb-3 last:border-0 last:pb-0">
            <Rule {...one} />
          </li>
        ))}
      </ul>
    </Panel>
  </div>
)

const Rule = ({ rule, found, examples }: ReconciliationRun['rules'][number]) => (
  <>
    <div className="flex items-start justify-between gap-3">
      <span>
        <strong>{rule}</strong> {ruleTexts[rule]}
      </span>
      <Badge tone={found === 0 ? 'success' : 'danger'}>
        {found === 0 ? copy.holds : copy.broken(formatNumber(found))}
      </Badge>
    </div>
    {found > examples.length && <p className="mt-1 text-sm text-soft">{copy.first(examples.length)}</p>}
    {found > 0 && (
      <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {examples.map((example, index) => (
          <li key={`${example.kind}-${example.id}-${index}`}>
            <Example {...example} />
          </li>
        ))}
      </ul>
    )}
  </>
)

/** The screen of each kind that has one. */
const SCREENS: Partial<Record<NonNullable<ReconciliationExample['kind']>, string>> = {
  user: '/users',
  'ledger-transfer': '/ledger-transfers',
  'bank-transfer': '/bank-transfers',
  'payment-event': '/payment-events',
  'recharge-order': '/recharge-orders',
  delivery: '/deliveries',
}

function Example({ kind, id }: ReconciliationExample) {
  if (kind === null || id === null) return copy.all
  const text = `${copy.kinds[kind]} ${id}`
  const screen = SCREENS[kind]
  return screen === undefined ? text : <Link to={`${screen}/${id}`}>{text}</Link>
}
