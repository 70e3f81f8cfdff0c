import { Link } from 'react-router'
import {
  LEDGER_KINDS,
  operatorLedgerTransfers,
  type LedgerTransfer,
} from '#contract/operator/ledger-transfers.ts'
import { formatNumber } from '#contract/format.ts'
import { ledgerCopy as copy } from './ledger-parts.tsx'
import { AccountName, Source } from '#admin/features/ledger/ledger-parts.tsx'
import { DataList } from '#admin/kit/data-list.tsx'
import type { Column } from '#admin/kit/data-table.tsx'
import type { Filter } from '#admin/kit/filter-bar.tsx'
import { momentText } from '#admin/kit/format.ts'
import { ScreenFrame } from '#admin/kit/screen.tsx'

const columns: readonly Column<LedgerTransfer>[] = [
  { name: 'id', label: copy.id, cell: ({ id }) => <Link to={`/ledger-transfers/${id}`}>{id}</Link> },
  {
    name: 'created_at',
    label: copy.createdAt,
    sort: 'created_at',
    cell: ({ created_at }) => momentText(created_at),
  },
  { name: 'kind', label: copy.kind, cell: ({ kind }) => copy.kinds[kind] },
  { name: 'amount', label: copy.amount, isNumber: true, cell: ({ amount }) => formatNumber(amount) },
  { name: 'debit', label: copy.debit, cell: ({ debit }) => <AccountName account={debit} /> },
  { name: 'credit', label: copy.credit, cell: ({ credit }) => <AccountName account={credit} /> },
  {
    name: 'source',
    label: copy.source,
    cell: (transfer) => (
      <span className="wrap-anywhere">
        <Source of={transfer} />
      </span>
    ),
  },
]

const filters: readonly Filter[] = [
  { name: 'user', label: copy.player },
  {
    name: 'kind',
    label: copy.kind,
    options: LEDGER_KINDS.map((value) => ({ value, label: copy.kinds[value] })),
  },
  { name: 'amount', label: copy.amount, type: 'number' },
  { name: 'source', label: copy.sourceHint },
  { name: 'from', label: copy.from, type: 'date' },
  { name: 'to', label: copy.to, type: 'date' },
]

export function Component() {
  return (
    <ScreenFrame title={copy.title}>
      <DataList
        endpoint={operatorLedgerTransfers.list}
        label={copy.title}
        columns={columns}
        filters={filters}
        usualSort={['created_at', 'DESC']}
        empty={copy.empty}
        isFile
      />
    </ScreenFrame>
  )
}
