import { Link } from 'react-router'
import { operatorDailyCloses, type OperatorDailyClose } from '#contract/operator/daily-closes.ts'
import { CLOSE_WORDS } from '#contract/operator/words.ts'
import { closesCopy as copy } from '#admin/features/daily-closes/closes.copy.ts'
import { dayText } from './closes.copy.ts'
import { CloseStatus } from '#admin/features/daily-closes/close-status.tsx'
import { DataList } from '#admin/kit/data-list.tsx'
import type { Column } from '#admin/kit/data-table.tsx'
import type { Filter } from '#admin/kit/filter-bar.tsx'
import { vnd } from '#admin/kit/format.ts'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { useMay } from '#admin/session/console-session.ts'

const columns: readonly Column<OperatorDailyClose>[] = [
  {
    name: 'day',
    label: copy.day,
    sort: 'day',
    cell: ({ id, day }) => <Link to={`/daily-closes/${id}`}>{dayText(day)}</Link>,
  },
  { name: 'account', label: copy.account, cell: ({ account_number }) => account_number },
  { name: 'status', label: copy.status, cell: ({ status }) => <CloseStatus status={status} /> },
  {
    name: 'differences',
    label: copy.differences,
    cell: ({ differences }) => differences.map((name) => copy.meanings[name] ?? name).join(' · '),
  },
  {
    name: 'bank',
    label: copy.bank,
    isNumber: true,
    cell: ({ bank_in_vnd }) => (bank_in_vnd === null ? copy.noStatement : vnd(bank_in_vnd)),
  },
  { name: 'arrived', label: copy.arrived, isNumber: true, cell: ({ arrived_vnd }) => vnd(arrived_vnd) },
  { name: 'review', label: copy.review, isNumber: true, cell: ({ review_vnd }) => vnd(review_vnd) },
]

const filters: readonly Filter[] = [
  {
    name: 'status',
    label: copy.status,
    options: Object.entries(CLOSE_WORDS).map(([value, label]) => ({ value, label })),
  },
  { name: 'account_number', label: copy.account },
  { name: 'from', label: copy.from, type: 'date' },
  { name: 'to', label: copy.to, type: 'date' },
]

export function Component() {
  const mayReconcile = useMay()('ledger.read')
  return (
    <ScreenFrame title={copy.title} acts={mayReconcile && <Link to="/reconciliation">{copy.books}</Link>}>
      <DataList
        endpoint={operatorDailyCloses.list}
        label={copy.title}
        columns={columns}
        filters={filters}
        usualSort={['day', 'DESC']}
        empty={copy.empty}
        isFile
      />
    </ScreenFrame>
  )
}
