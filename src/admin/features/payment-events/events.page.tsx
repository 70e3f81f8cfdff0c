import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { operatorPaymentEvents, type PaymentEvent } from '#contract/operator/bank-transfers.ts'
import { eventsCopy as copy } from './event-acts.tsx'
import { EventAct, EventActs, type Chosen } from '#admin/features/payment-events/event-acts.tsx'
import { DataList } from '#admin/kit/data-list.tsx'
import type { Column } from '#admin/kit/data-table.tsx'
import type { Filter } from '#admin/kit/filter-bar.tsx'
import { momentText, vnd } from '#admin/kit/format.ts'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { useMay } from '#admin/session/console-session.ts'

const filters: readonly Filter[] = [
  {
    name: 'status',
    label: copy.status,
    options: Object.entries(copy.statuses).map(([value, label]) => ({ value, label })),
  },
]

const columnsWith = (onAct: ((chosen: Chosen) => void) | null): readonly Column<PaymentEvent>[] => [
  { name: 'id', label: copy.id, cell: ({ id }) => <Link to={`/payment-events/${id}`}>{id}</Link> },
  { name: 'provider', label: copy.provider, cell: ({ provider }) => provider },
  { name: 'status', label: copy.status, cell: ({ status }) => copy.statuses[status as 'stale' | 'review'] },
  { name: 'reason', label: copy.reason, cell: ({ reason_text }) => reason_text },
  { name: 'amount', label: copy.amount, isNumber: true, cell: ({ amount }) => vnd(amount) },
  { name: 'account', label: copy.account, cell: ({ account_number }) => account_number },
  { name: 'reference', label: copy.reference, cell: ({ bank_ref }) => bank_ref },
  { name: 'memo', label: copy.memo, cell: ({ memo }) => <span className="wrap-anywhere">{memo}</span> },
  {
    name: 'received_at',
    label: copy.receivedAt,
    sort: 'received_at',
    cell: ({ received_at }) => momentText(received_at),
  },
  ...(onAct
    ? [
        {
          name: 'acts',
          label: copy.acts,
          cell: (event: PaymentEvent) => <EventActs event={event} onAct={onAct} />,
        },
      ]
    : []),
]

export function Component() {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const mayAct = useMay()('bank-transfers.match')
  const columns = useMemo(() => columnsWith(mayAct ? setChosen : null), [mayAct])
  return (
    <ScreenFrame title={copy.title}>
      <DataList
        endpoint={operatorPaymentEvents.list}
        label={copy.title}
        columns={columns}
        filters={filters}
        usualSort={['id', 'ASC']}
        empty={copy.empty}
        refreshMs={60_000}
        isFile
      />
      {chosen && <EventAct chosen={chosen} onClose={() => setChosen(null)} />}
    </ScreenFrame>
  )
}
