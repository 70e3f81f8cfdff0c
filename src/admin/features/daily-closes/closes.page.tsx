import { operatorDailyCloses, type OperatorDailyClose } from '#contract/operator/daily-closes.ts'
import { formatDay } from '#contract/vietnam-time.ts'
import { closesCopy as copy } from '#admin/features/daily-closes/closes.copy.ts'
import { CloseStatus } from '#admin/features/daily-closes/close-status.tsx'
import { DataList } from '#admin/kit/data-list.tsx'
import type { Column } from '#admin/kit/data-table.tsx'
import type { Filter } from '#admin/kit/filter-bar.tsx'
import { momentText, vnd } from '#admin/kit/format.ts'
import { ScreenFrame } from '#admin/kit/screen.tsx'

const columns: readonly Column<OperatorDailyClose>[] = [
  { name: 'day', label: copy.day, sort: 'day', cell: ({ day }) => formatDay(`${day}T00:00:00+07:00`) },
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
  { name: 'credited', label: copy.credited, isNumber: true, cell: ({ credited_vnd }) => vnd(credited_vnd) },
  { name: 'review', label: copy.review, isNumber: true, cell: ({ review_vnd }) => vnd(review_vnd) },
  { name: 'made_at', label: copy.madeAt, cell: ({ made_at }) => momentText(made_at) },
]

const filters: readonly Filter[] = [
  {
    name: 'status',
    label: copy.status,
    options: Object.entries(copy.statuses).map(([value, label]) => ({ value, label })),
  },
  { name: 'account_number', label: copy.account },
  { name: 'from', label: copy.from, type: 'date' },
  { name: 'to', label: copy.to, type: 'date' },
]

export function Component() {
  return (
    <ScreenFrame title={copy.title}>
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
