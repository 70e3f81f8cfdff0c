import { Link } from 'react-router'
import { DataList } from '#admin/kit/data-list.tsx'
import type { Column } from '#admin/kit/data-table.tsx'
import type { Filter } from '#admin/kit/filter-bar.tsx'
import { momentText, vnd } from '#admin/kit/format.ts'
import { OrderLink, PersonLink } from '#admin/kit/links.tsx'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { type ListedRefund, operatorGatewayRefunds } from '#contract/operator/gateway-refunds.ts'
import { REFUND_WORDS } from '#contract/operator/words.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'

const refundsCopy = {
  title: 'Hoàn qua MoMo',
  empty: 'Chưa có lần hoàn tiền nào qua MoMo. Hoàn tiền từ một khoản chuyển đang chờ kiểm tra.',
  askedAt: 'Yêu cầu lúc',
  askedBy: 'Người yêu cầu',
  amount: 'Số tiền',
  state: 'Trạng thái',
  code: 'Mã của MoMo',
  transfer: 'Khoản chuyển',
  rechargeOrder: 'Đơn nạp',
  player: 'Người chơi',
  reason: 'Lí do',
  states: REFUND_WORDS,
} as const

const tones = { asked: 'waiting', done: 'success', failed: 'danger' } as const satisfies Record<
  ListedRefund['state'],
  BadgeTone
>

const columns: readonly Column<ListedRefund>[] = [
  { name: 'asked_at', label: refundsCopy.askedAt, sort: 'id', cell: ({ asked_at }) => momentText(asked_at) },
  {
    name: 'state',
    label: refundsCopy.state,
    cell: ({ state, result_code: code }) => (
      <>
        <Badge tone={tones[state]}>{refundsCopy.states[state]}</Badge>
        {code !== null && ` ${refundsCopy.code} ${code}`}
      </>
    ),
  },
  { name: 'amount', label: refundsCopy.amount, isNumber: true, cell: ({ amount }) => vnd(amount) },
  {
    name: 'transfer',
    label: refundsCopy.transfer,
    cell: ({ bank_transfer_id: id }) => <Link to={`/bank-transfers/${id}`}>{id}</Link>,
  },
  {
    name: 'order',
    label: refundsCopy.rechargeOrder,
    cell: ({ order_code }) => <OrderLink code={order_code} />,
  },
  { name: 'player', label: refundsCopy.player, cell: ({ user }) => <PersonLink person={user} /> },
  { name: 'asked_by', label: refundsCopy.askedBy, cell: ({ asked_by }) => <PersonLink person={asked_by} /> },
  {
    name: 'reason',
    label: refundsCopy.reason,
    cell: ({ reason }) => <span className="wrap-anywhere">{reason}</span>,
  },
]

const filters: readonly Filter[] = [
  {
    name: 'state',
    label: refundsCopy.state,
    options: Object.entries(refundsCopy.states).map(([value, label]) => ({ value, label })),
  },
  { name: 'asked_by', label: refundsCopy.askedBy },
  { name: 'bank_transfer_id', label: refundsCopy.transfer },
]

export function Component() {
  return (
    <ScreenFrame title={refundsCopy.title}>
      <DataList
        endpoint={operatorGatewayRefunds.list}
        label={refundsCopy.title}
        columns={columns}
        filters={filters}
        usualSort={['id', 'DESC']}
        empty={refundsCopy.empty}
        refreshMs={60_000}
        isFile
      />
    </ScreenFrame>
  )
}
