import { Link, useParams } from 'react-router'
import { operatorLedgerTransfers, type LedgerTransferDetail } from '#contract/operator/ledger-transfers.ts'
import { formatNumber } from '#contract/format.ts'
import { Facts } from '#ui/facts.tsx'
import { ledgerCopy as copy } from './ledger-parts.tsx'
import { AccountName, Source } from '#admin/features/ledger/ledger-parts.tsx'
import { DataTable, type Column } from '#admin/kit/data-table.tsx'
import { momentText } from '#admin/kit/format.ts'
import { PersonLink } from '#admin/kit/links.tsx'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'

export function Component() {
  const { id = '' } = useParams()
  return (
    <ScreenFrame title={`${copy.one} ${id}`}>
      <Loaded key={id} query={read(operatorLedgerTransfers.get, { params: { id } })}>
        {(transfer) => (
          <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_auto]">
            <Panel title={copy.one}>
              <Facts facts={factsOf(transfer)} />
            </Panel>
            <Balances transfer={transfer} />
          </div>
        )}
      </Loaded>
    </ScreenFrame>
  )
}

const OtherLine = ({ id }: { id: string | null }) =>
  id === null ? '—' : <Link to={`/ledger-transfers/${id}`}>{id}</Link>

const factsOf = (transfer: LedgerTransferDetail) => [
  { label: copy.kind, value: copy.kinds[transfer.kind] },
  { label: copy.amount, value: formatNumber(transfer.amount) },
  { label: copy.debit, value: <AccountName account={transfer.debit} /> },
  { label: copy.credit, value: <AccountName account={transfer.credit} /> },
  { label: copy.source, value: <Source of={transfer} /> },
  { label: copy.createdAt, value: momentText(transfer.created_at) },
  { label: copy.player, value: <PersonLink person={transfer.player} /> },
  { label: copy.operator, value: <PersonLink person={transfer.operator} /> },
  { label: copy.reverses, value: <OtherLine id={transfer.reverses_id} /> },
  { label: copy.reversedBy, value: <OtherLine id={transfer.reversed_by} /> },
  { label: copy.request, value: transfer.request_id ?? '—' },
]

type Side = LedgerTransferDetail['entries'][number] & { id: string; account: LedgerTransferDetail['debit'] }

const columns: readonly Column<Side>[] = [
  {
    name: 'account',
    label: copy.account,
    cell: ({ account, stripe }) => (
      <>
        <AccountName account={account} />
        {stripe !== null && `, ${copy.stripe(stripe)}`}
      </>
    ),
  },
  { name: 'before', label: copy.before, isNumber: true, cell: (side) => formatNumber(side.balance_before) },
  { name: 'amount', label: copy.amount, isNumber: true, cell: ({ amount }) => formatNumber(amount) },
  { name: 'after', label: copy.after, isNumber: true, cell: (side) => formatNumber(side.balance_after) },
  {
    name: 'whole',
    label: copy.whole,
    isNumber: true,
    cell: ({ whole_balance: whole }) => (whole === null ? '—' : formatNumber(whole)),
  },
]

function Balances({ transfer: { debit, credit, entries } }: { transfer: LedgerTransferDetail }) {
  const sides = entries.map((entry) => ({
    ...entry,
    id: entry.account_id,
    account: entry.account_id === debit.id ? debit : credit,
  }))
  return (
    <Panel title={copy.balances}>
      <DataTable label={copy.balances} columns={columns} rows={sides} />
    </Panel>
  )
}
