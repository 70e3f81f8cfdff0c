import { Link } from 'react-router'
import { listScreen } from '#admin/kit/data-list.tsx'
import { column, type Column, momentColumn, vndColumn } from '#admin/kit/data-table.tsx'
import { type Filter, optionsOf } from '#admin/kit/filter-bar.tsx'
import { labels } from '#admin/kit/kit.copy.ts'
import { OrderLink, PersonLink } from '#admin/kit/links.tsx'
import { type ListedRefund, operatorGatewayRefunds } from '#contract/operator/gateway-refunds.ts'
import { REFUND_WORDS } from '#contract/operator/words.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'

const copy = {
  empty: 'Chưa có lần hoàn tiền nào qua MoMo. Hoàn tiền từ một khoản chuyển đang chờ kiểm tra.',
  requestedAt: 'Yêu cầu lúc',
  requestedBy: 'Người yêu cầu',
  code: 'Mã của MoMo',
  states: REFUND_WORDS,
} as const

const tones = { asked: 'waiting', done: 'success', failed: 'danger' } as const satisfies Record<
  ListedRefund['state'],
  BadgeTone
>

const columns: readonly Column<ListedRefund>[] = [
  momentColumn('asked_at', copy.requestedAt, { sort: 'id' }),
  column('state', labels.state, ({ state, result_code: code }) => (
    <>
      <Badge tone={tones[state]}>{copy.states[state]}</Badge>
      {code !== null && ` ${copy.code} ${code}`}
    </>
  )),
  vndColumn('amount', labels.amount),
  column('transfer', labels.transfer, ({ bank_transfer_id: id }) => (
    <Link to={`/bank-transfers/${id}`}>{id}</Link>
  )),
  column('order', labels.order, ({ order_code }) => <OrderLink code={order_code} />),
  column('player', labels.player, ({ user }) => <PersonLink person={user} />),
  column('asked_by', copy.requestedBy, ({ asked_by }) => <PersonLink person={asked_by} />),
  column('reason', labels.reason, ({ reason }) => <span className="wrap-anywhere">{reason}</span>),
]

const filters: readonly Filter[] = [
  { name: 'state', label: labels.state, options: optionsOf(copy.states) },
  { name: 'asked_by', label: copy.requestedBy },
  { name: 'bank_transfer_id', label: labels.transfer },
]

export const Component = listScreen(operatorGatewayRefunds.list, columns, filters, {
  usualSort: ['id', 'DESC'],
  empty: copy.empty,
  refreshMs: 60_000,
  isFile: true,
})
