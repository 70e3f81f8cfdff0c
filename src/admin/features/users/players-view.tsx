import { useEffect, type ReactNode } from 'react'
import { formatNumber } from '#contract/format.ts'
import type { PlayersView as View } from '#contract/operator/users.ts'
import { CLAIM_WORDS, ORDER_WORDS } from '#contract/operator/words.ts'
import { STATUS_NAMES } from '#contract/transactions.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Facts } from '#ui/facts.tsx'
import { playersViewCopy as copy } from '#admin/features/users/players-view.copy.ts'
import { DataTable, type Column } from '#admin/kit/data-table.tsx'
import { momentText, signedNumber, vnd } from '#admin/kit/format.ts'
import { Panel } from '#admin/kit/screen.tsx'

const { columns } = copy

type RowOf<Name extends 'orders' | 'deliveries' | 'claims' | 'transactions'> = View[Name][number]

const orders: readonly Column<RowOf<'orders'> & { id: string }>[] = [
  { name: 'at', label: columns.at, cell: ({ created_at }) => momentText(created_at) },
  { name: 'code', label: columns.code, cell: ({ code }) => code },
  { name: 'amount', label: columns.amount, isNumber: true, cell: ({ amount }) => vnd(amount) },
  { name: 'state', label: columns.state, cell: ({ status }) => ORDER_WORDS[status] },
  {
    name: 'credited',
    label: columns.credited,
    isNumber: true,
    cell: ({ credited }) => formatNumber(credited),
  },
  { name: 'until', label: columns.until, cell: ({ expires_at }) => momentText(expires_at) },
]

const deliveries: readonly Column<RowOf<'deliveries'>>[] = [
  { name: 'at', label: columns.at, cell: ({ created_at }) => momentText(created_at) },
  { name: 'character', label: columns.character, cell: ({ character_name }) => character_name },
  { name: 'coins', label: columns.coins, isNumber: true, cell: ({ amount }) => formatNumber(amount) },
  { name: 'state', label: columns.state, cell: ({ status }) => STATUS_NAMES[status] },
]

const claims: readonly Column<RowOf<'claims'>>[] = [
  { name: 'at', label: columns.at, cell: ({ created_at }) => momentText(created_at) },
  { name: 'amount', label: columns.amount, isNumber: true, cell: ({ amount }) => vnd(amount) },
  { name: 'state', label: columns.state, cell: ({ status }) => CLAIM_WORDS[status] },
  { name: 'answer', label: columns.answer, isText: true, cell: ({ message }) => message ?? '—' },
]

const transactions: readonly Column<RowOf<'transactions'>>[] = [
  { name: 'at', label: columns.at, cell: ({ created_at }) => momentText(created_at) },
  { name: 'what', label: columns.what, isText: true, cell: ({ description }) => description },
  { name: 'coins', label: columns.coins, isNumber: true, cell: ({ amount }) => signedNumber(amount) },
  {
    name: 'balance',
    label: columns.balance,
    isNumber: true,
    cell: ({ balance_after }) => formatNumber(balance_after),
  },
  { name: 'state', label: columns.state, cell: ({ status }) => STATUS_NAMES[status] },
]

/** What a player sees, as it was read; it goes away by itself when it may no longer be shown. */
export function PlayersView({ view, onClose }: { view: View; onClose: () => void }) {
  const { user, until, refusals, notices } = view
  useEffect(() => {
    const timer = setTimeout(onClose, Date.parse(until) - Date.now())
    return () => clearTimeout(timer)
  }, [until, onClose])
  return (
    <Panel
      title={copy.title(user.username)}
      acts={
        <Button kind="plain" onClick={onClose}>
          {copy.close}
        </Button>
      }
    >
      <div className="space-y-5">
        <Alert tone="note">{copy.until(momentText(until))}</Alert>
        <div className="grid items-start gap-5 lg:grid-cols-2">
          <Part title={copy.account}>
            <Facts
              facts={[
                { label: copy.balance, value: `${formatNumber(user.balance)} TCoin` },
                { label: copy.activated, value: user.activated ? copy.yes : copy.no },
                { label: copy.server, value: user.server_name },
                { label: copy.email, value: user.email ?? copy.none },
                { label: copy.phone, value: user.phone ?? copy.none },
              ]}
            />
          </Part>
          <Part title={copy.stops}>
            {refusals.length === 0 && <p className="text-soft">{copy.nothingStops}</p>}
            {refusals.map(({ of, message }) => (
              <p key={of}>
                <strong>{copy.of[of]}:</strong> {message}
              </p>
            ))}
            <h3 className="pt-3 font-bold">{copy.notices}</h3>
            {notices.length === 0 && <p className="text-soft">{copy.noNotices}</p>}
            {notices.map((notice) => (
              <p key={notice}>{notice}</p>
            ))}
          </Part>
        </div>
        <Rows
          title={copy.orders}
          columns={orders}
          rows={view.orders.map((order) => ({ ...order, id: order.code }))}
        />
        <Rows title={copy.deliveries} columns={deliveries} rows={view.deliveries} />
        <Rows title={copy.claims} columns={claims} rows={view.claims} />
        <Rows title={copy.transactions} columns={transactions} rows={view.transactions} />
      </div>
    </Panel>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="min-w-0 space-y-2">
    <h3 className="font-bold">{title}</h3>
    {children}
  </div>
)

type RowsProps<Row> = { title: string; columns: readonly Column<Row>[]; rows: readonly Row[] }

const Rows = <Row extends { id: string }>({ title, columns: shown, rows }: RowsProps<Row>) => (
  <Part title={title}>
    {rows.length === 0 ? (
      <p className="text-soft">{copy.empty}</p>
    ) : (
      <DataTable label={title} columns={shown} rows={rows} />
    )}
  </Part>
)
