import { Link } from 'react-router'
import { type OperatorOrder, operatorRechargeOrders } from '#contract/operator/recharge.ts'
import { ORDER_STATUSES } from '#contract/recharge.ts'
import { formatNumber } from '#contract/format.ts'
import { ordersCopy as copy } from '#admin/features/recharge-orders/orders.copy.ts'
import { DataList } from '#admin/kit/data-list.tsx'
import type { Column } from '#admin/kit/data-table.tsx'
import type { Filter } from '#admin/kit/filter-bar.tsx'
import { momentText, vnd } from '#admin/kit/format.ts'
import { PersonLink } from '#admin/kit/links.tsx'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { kitCopy } from '#admin/kit/kit.copy.ts'

const columns: readonly Column<OperatorOrder>[] = [
  {
    name: 'code',
    label: copy.code,
    cell: ({ code }) => <Link to={`/recharge-orders/${code}`}>{code}</Link>,
  },
  { name: 'player', label: copy.player, cell: ({ user }) => <PersonLink person={user} /> },
  { name: 'channel', label: copy.channel, cell: ({ channel }) => kitCopy.channels[channel] },
  { name: 'amount', label: copy.amount, isNumber: true, cell: ({ amount }) => vnd(amount) },
  { name: 'credited', label: copy.credited, isNumber: true, cell: ({ credited }) => formatNumber(credited) },
  { name: 'status', label: copy.status, cell: ({ status }) => copy.statuses[status] },
  {
    name: 'created_at',
    label: copy.createdAt,
    sort: 'created_at',
    cell: ({ created_at }) => momentText(created_at),
  },
  { name: 'paid_at', label: copy.paidAt, cell: ({ paid_at }) => momentText(paid_at) },
]

const filters: readonly Filter[] = [
  { name: 'code', label: copy.code },
  { name: 'user', label: copy.player },
  {
    name: 'status',
    label: copy.status,
    options: ORDER_STATUSES.map((value) => ({ value, label: copy.statuses[value] })),
  },
  {
    name: 'channel',
    label: copy.channel,
    type: 'number',
    options: Object.entries(kitCopy.channels).map(([value, label]) => ({ value, label })),
  },
  { name: 'amount', label: copy.amount, type: 'number' },
]

export function Component() {
  return (
    <ScreenFrame title={copy.title}>
      <DataList
        endpoint={operatorRechargeOrders.list}
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
