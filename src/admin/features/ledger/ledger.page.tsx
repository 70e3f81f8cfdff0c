import { Link } from 'react-router'
import { listScreen } from '#admin/kit/data-list.tsx'
import { column, type Column, momentColumn, numberColumn } from '#admin/kit/data-table.tsx'
import { type Filter, optionsOf } from '#admin/kit/filter-bar.tsx'
import { labels } from '#admin/kit/kit.copy.ts'
import { type LedgerTransfer, operatorLedgerTransfers } from '#contract/operator/ledger-transfers.ts'
import { AccountName, ledgerCopy as copy, Source } from './ledger-parts.tsx'

const columns: readonly Column<LedgerTransfer>[] = [
  column('id', labels.id, ({ id }) => <Link to={`/ledger-transfers/${id}`}>{id}</Link>),
  momentColumn('created_at', labels.at, { sort: 'created_at' }),
  column('kind', copy.kind, ({ kind }) => copy.kinds[kind], { onPhone: 'main' }),
  numberColumn('amount', copy.amount),
  column('debit', copy.debit, ({ debit }) => <AccountName account={debit} />),
  column('credit', copy.credit, ({ credit }) => <AccountName account={credit} />),
  column('source', copy.source, (transfer) => (
    <span className="wrap-anywhere">
      <Source of={transfer} />
    </span>
  )),
]

const filters: readonly Filter[] = [
  { name: 'user', label: labels.player },
  { name: 'budget', label: copy.budget },
  { name: 'kind', label: copy.kind, options: optionsOf(copy.kinds) },
  { name: 'amount', label: copy.amount, type: 'number' },
  { name: 'source', label: copy.sourceHint },
  { name: 'from', label: labels.from, type: 'date' },
  { name: 'to', label: labels.to, type: 'date' },
]

export const Component = listScreen(operatorLedgerTransfers.list, columns, filters, {
  usualSort: ['created_at', 'DESC'],
  empty: copy.empty,
  isFile: true,
})
