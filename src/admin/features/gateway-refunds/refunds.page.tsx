import { Link } from 'react-router'
import { operatorGatewayRefunds, type ListedRefund } from '#contract/operator/gateway-refunds.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'
import { refundsCopy as copy } from '#admin/features/gateway-refunds/refunds.copy.ts'
import { DataList } from '#admin/kit/data-list.tsx'
import type { Column } from '#admin/kit/data-table.tsx'
import type { Filter } from '#admin/kit/filter-bar.tsx'
import { momentText, vnd } from '#admin/kit/format.ts'
import { OrderLink, PersonLink } from '#admin/kit/links.tsx'
import { ScreenFrame } from '#admin/kit/screen.tsx'

const tones = { asked: 'waiting', done: 'success', failed: 'danger' } as const satisfies Record<
  ListedRefund['state'],
  BadgeTone
>

const columns: readonly Column<ListedRefund>[] = [
  { name: 'asked_at', label: copy.askedAt, sort: 'id', cell: ({ asked_at }) => momentText(asked_at) },
  {
    name: 'state',
    label: copy.state,
    cell: ({ state, result_code: code }) => (
      <>
        <Badge tone={tones[state]}>{copy.states[state]}</Badge>
        {code !== null && ` ${copy.code} ${code}`}
      </>
    ),
  },
  { name: 'amount', label: copy.amount, isNumber: true, cell: ({ amount }) => vnd(amount) },
  {
    name: 'transfer',
    label: copy.transfer,
    cell: ({ bank_transfer_id: id }) => <Link to={`/bank-transfers/${id}`}>{id}</Link>,
  },
  { name: 'order', label: copy.rechargeOrder, cell: ({ order_code }) => <OrderLink code={order_code} /> },
  { name: 'player', label: copy.player, cell: ({ user }) => <PersonLink person={user} /> },
  { name: 'asked_by', label: copy.askedBy, cell: ({ asked_by }) => <PersonLink person={asked_by} /> },
  {
    name: 'reason',
    label: copy.reason,
    cell: ({ reason }) => <span className="wrap-anywhere">{reason}</span>,
  },
]

const filters: readonly Filter[] = [
  {
    name: 'state',
    label: copy.state,
    options: Object.entries(copy.states).map(([value, label]) => ({ value, label })),
  },
  { name: 'asked_by', label: copy.askedBy },
  { name: 'bank_transfer_id', label: copy.transfer },
]

export function Component() {
  return (
    <ScreenFrame title={copy.title}>
      <DataList
        endpoint={operatorGatewayRefunds.list}
        label={copy.title}
        columns={columns}
        filters={filters}
        usualSort={['id', 'DESC']}
        empty={copy.empty}
        refreshMs={60_000}
        isFile
      />
    </ScreenFrame>
  )
}
