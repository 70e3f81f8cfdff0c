import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { ListPage } from '#admin/kit/data-list.tsx'
import { column, type Column, momentColumn, vndColumn } from '#admin/kit/data-table.tsx'
import { type Filter, optionsOf } from '#admin/kit/filter-bar.tsx'
import { labels } from '#admin/kit/kit.copy.ts'
import { useMay } from '#admin/session/console-session.ts'
import { operatorPaymentEvents, type PaymentEvent } from '#contract/operator/bank-transfers.ts'
import { type Chosen, EventAct, EventActs, eventsCopy as copy } from './event-acts.tsx'

const filters: readonly Filter[] = [
  {
    name: 'waiting',
    label: copy.waiting,
    type: 'flag',
    options: optionsOf(copy.waitings),
    // Whoever looks for one notification looks among all.
    usual: (values) => String(Object.keys(values).every((name) => name === 'waiting')),
  },
  { name: 'state', label: labels.state, options: optionsOf(copy.statuses) },
  { name: 'amount', label: labels.amount, type: 'number' },
  { name: 'account', label: labels.account },
  { name: 'q', label: copy.search },
]

const columnsWith = (onAct: ((chosen: Chosen) => void) | null): readonly Column<PaymentEvent>[] => [
  column('id', labels.id, ({ id }) => <Link to={`/payment-events/${id}`}>{id}</Link>),
  column('provider', copy.provider, ({ provider }) => provider),
  column('status', labels.state, ({ status }) => copy.statuses[status]),
  column('reason', copy.reason, ({ reason_text }) => reason_text),
  vndColumn('amount', labels.amount),
  column('account', labels.account, ({ account_number, virtual_account }) =>
    virtual_account === null ? account_number : `${account_number} / ${virtual_account}`,
  ),
  column('reference', labels.reference, ({ bank_ref }) => bank_ref),
  column('memo', labels.memo, ({ memo }) => <span className="wrap-anywhere">{memo}</span>),
  momentColumn('received_at', copy.receivedAt, { sort: 'received_at' }),
  ...(onAct
    ? [
        column(
          'acts',
          copy.acts,
          (event: PaymentEvent) => event.is_open && <EventActs event={event} onAct={onAct} />,
        ),
      ]
    : []),
]

export function Component() {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const mayAct = useMay()('bank-transfers.match')
  const columns = useMemo(() => columnsWith(mayAct ? setChosen : null), [mayAct])
  return (
    <ListPage
      endpoint={operatorPaymentEvents.list}
      columns={columns}
      filters={filters}
      usualSort={['id', 'DESC']}
      empty={copy.empty}
      refreshMs={60_000}
      isFile
    >
      {chosen && <EventAct chosen={chosen} onClose={() => setChosen(null)} />}
    </ListPage>
  )
}
