import { Link, useLocation } from 'react-router'
import { operatorBankTransfers, type BankTransfer } from '#contract/operator/bank-transfers.ts'
import { formatNumber } from '#contract/format-number.ts'
import { inboxCopy as copy } from '#admin/features/bank-inbox/inbox.copy.ts'
import { inboxFilters } from '#admin/features/bank-inbox/inbox-filters.ts'
import { MatchMany } from '#admin/features/bank-inbox/match-many.tsx'
import { TransferState } from '#admin/features/bank-inbox/transfer-state.tsx'
import { DataList } from '#admin/kit/data-list.tsx'
import type { Column } from '#admin/kit/data-table.tsx'
import { momentText, vnd } from '#admin/kit/format.ts'
import { OrderLink, PersonLink } from '#admin/kit/links.tsx'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { useMay } from '#admin/session/console-session.ts'

/** The filter goes along, so that the next one there is the next of this list. */
function OpenLink({ id }: { id: string }) {
  const { search } = useLocation()
  return <Link to={`/bank-transfers/${id}${search}`}>{id}</Link>
}

const columns: readonly Column<BankTransfer>[] = [
  { name: 'id', label: copy.id, cell: ({ id }) => <OpenLink id={id} /> },
  {
    name: 'created_at',
    label: copy.arrivedAt,
    sort: 'created_at',
    cell: ({ created_at }) => momentText(created_at),
  },
  { name: 'amount', label: copy.amount, isNumber: true, cell: ({ amount }) => vnd(amount) },
  { name: 'state', label: copy.state, cell: (transfer) => <TransferState transfer={transfer} /> },
  { name: 'reason', label: copy.reason, isText: true, cell: ({ reason_text }) => reason_text },
  {
    name: 'memo',
    label: copy.memo,
    isText: true,
    cell: ({ memo }) => <span className="wrap-anywhere">{memo}</span>,
  },
  { name: 'order', label: copy.order, cell: ({ order_code }) => <OrderLink code={order_code} /> },
  { name: 'player', label: copy.player, cell: ({ user }) => <PersonLink person={user} /> },
  { name: 'credited', label: copy.credited, isNumber: true, cell: ({ credited }) => formatNumber(credited) },
  { name: 'account', label: copy.account, cell: ({ account_number }) => account_number },
  { name: 'reference', label: copy.reference, cell: ({ bank_ref }) => bank_ref },
]

const matchChosen = (chosen: readonly BankTransfer[], clear: () => void) => (
  <MatchMany chosen={chosen} onDone={clear} />
)

export function Component() {
  const mayMatch = useMay()('bank-transfers.match')
  return (
    <ScreenFrame title={copy.title}>
      <DataList
        endpoint={operatorBankTransfers.list}
        label={copy.title}
        columns={columns}
        filters={inboxFilters}
        usualSort={['created_at', 'ASC']}
        empty={copy.empty}
        refreshMs={30_000}
        isFile
        {...(mayMatch && { bulk: matchChosen })}
      />
    </ScreenFrame>
  )
}
