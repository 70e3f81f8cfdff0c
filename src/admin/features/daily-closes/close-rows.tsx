import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatNumber } from '#contract/format-number.ts'
import type { CloseRow, DailyCloseDetail } from '#contract/operator/daily-closes.ts'
import { closesCopy as copy } from '#admin/features/daily-closes/closes.copy.ts'
import { DataTable, type Column } from '#admin/kit/data-table.tsx'
import { vnd } from '#admin/kit/format.ts'
import { kitCopy } from '#admin/kit/kit.copy.ts'
import { OrderLink } from '#admin/kit/links.tsx'

type Row = CloseRow & { id: string }

const NONE = kitCopy.time.none

const amountOf = (amount: number | null, text: (amount: number) => string): ReactNode =>
  amount === null ? NONE : text(amount)

const linkTo = (screen: string, id: string | null): ReactNode =>
  id === null ? NONE : <Link to={`${screen}/${id}`}>{id}</Link>

const columns: readonly (Column<Row> & { isThere: (row: Row) => boolean })[] = [
  {
    name: 'transfer',
    label: copy.transfer,
    cell: ({ bank_transfer_id }) => linkTo('/bank-transfers', bank_transfer_id),
    isThere: ({ bank_transfer_id }) => bank_transfer_id !== null,
  },
  {
    name: 'order',
    label: copy.order,
    cell: ({ order_code }) => <OrderLink code={order_code} />,
    isThere: ({ order_code }) => order_code !== null,
  },
  {
    name: 'event',
    label: copy.event,
    cell: ({ payment_event_id }) => linkTo('/payment-events', payment_event_id),
    isThere: ({ payment_event_id }) => payment_event_id !== null,
  },
  {
    name: 'listed',
    label: copy.bankRow,
    cell: ({ listed_id }) => listed_id ?? NONE,
    isThere: ({ listed_id }) => listed_id !== null,
  },
  {
    name: 'ours',
    label: copy.ourVnd,
    isNumber: true,
    cell: ({ our_vnd }) => amountOf(our_vnd, vnd),
    isThere: ({ our_vnd }) => our_vnd !== null,
  },
  {
    name: 'bank',
    label: copy.bankVnd,
    isNumber: true,
    cell: ({ bank_vnd }) => amountOf(bank_vnd, vnd),
    isThere: ({ bank_vnd }) => bank_vnd !== null,
  },
  {
    name: 'due',
    label: copy.dueCoins,
    isNumber: true,
    cell: ({ due_coins }) => amountOf(due_coins, formatNumber),
    isThere: ({ due_coins }) => due_coins !== null,
  },
  {
    name: 'ledger',
    label: copy.ledgerCoins,
    isNumber: true,
    cell: ({ ledger_coins }) => amountOf(ledger_coins, formatNumber),
    isThere: ({ ledger_coins }) => ledger_coins !== null,
  },
]

/** Of each kind of difference its rows, with the columns that say something about them. */
export function CloseRows({ rows, status }: Pick<DailyCloseDetail, 'rows' | 'status'>) {
  if (rows.length === 0)
    return <p>{status === 'not-compared' ? copy.noDifferenceAmongOurs : copy.noDifference}</p>
  return rows.map(({ kind, found, first }) => {
    const listed = first.map((row, index) => ({ ...row, id: String(index) }))
    return (
      <section key={kind} className="mb-4 space-y-2 last:mb-0">
        <h3>
          {copy.kinds[kind]}{' '}
          <span className="text-sm text-soft">{copy.firstOf(first.length, formatNumber(found))}</span>
        </h3>
        <DataTable
          label={copy.kinds[kind]}
          columns={columns.filter(({ isThere }) => listed.some(isThere))}
          rows={listed}
        />
      </section>
    )
  })
}
