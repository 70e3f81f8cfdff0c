import { Link, useParams } from 'react-router'
import { column, type Column, DataTable, numberColumn } from '#admin/kit/data-table.tsx'
import { momentText } from '#admin/kit/format.ts'
import { labels } from '#admin/kit/kit.copy.ts'
import { PersonLink } from '#admin/kit/links.tsx'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'
import { formatNumber } from '#contract/format.ts'
import { type LedgerTransferDetail, operatorLedgerTransfers } from '#contract/operator/ledger-transfers.ts'
import { Facts } from '#ui/facts.tsx'
import { AccountName, ledgerCopy as copy, Source } from './ledger-parts.tsx'

export function Component() {
  const { id = '' } = useParams()
  return (
    <ScreenFrame title={`${copy.one} ${id}`}>
      <Loaded key={id} query={read(operatorLedgerTransfers.get, { params: { id } })}>
        {(transfer) => (
          <div className="grid items-start gap-4 xl:grid-cols-[minmax(20rem,1fr)_minmax(0,auto)]">
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
  { label: labels.at, value: momentText(transfer.created_at) },
  { label: labels.player, value: <PersonLink person={transfer.player} /> },
  { label: copy.operator, value: <PersonLink person={transfer.operator} /> },
  { label: copy.reverses, value: <OtherLine id={transfer.reverses_id} /> },
  { label: copy.reversedBy, value: <OtherLine id={transfer.reversed_by} /> },
  { label: copy.request, value: transfer.request_id ?? '—' },
]

type Side = LedgerTransferDetail['entries'][number] & { id: string; account: LedgerTransferDetail['debit'] }

const columns: readonly Column<Side>[] = [
  column('account', copy.account, ({ account, stripe }) => (
    <>
      <AccountName account={account} />
      {stripe !== null && `, ${copy.stripe(stripe)}`}
    </>
  )),
  column('before', copy.before, (side) => formatNumber(side.balance_before), { isNumber: true }),
  numberColumn('amount', copy.amount),
  column('after', copy.after, (side) => formatNumber(side.balance_after), { isNumber: true }),
  column('whole', copy.whole, ({ whole_balance: whole }) => (whole === null ? '—' : formatNumber(whole)), {
    isNumber: true,
  }),
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
