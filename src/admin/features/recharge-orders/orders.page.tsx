import { Link } from 'react-router'
import { listScreen } from '#admin/kit/data-list.tsx'
import { column, type Column, momentColumn, numberColumn, vndColumn } from '#admin/kit/data-table.tsx'
import { type Filter, optionsOf } from '#admin/kit/filter-bar.tsx'
import { kitCopy, labels } from '#admin/kit/kit.copy.ts'
import { PersonLink } from '#admin/kit/links.tsx'
import { type OperatorOrder, operatorRechargeOrders } from '#contract/operator/recharge.ts'
import { ordersCopy as copy } from './orders.copy.ts'

const columns: readonly Column<OperatorOrder>[] = [
  column('code', copy.code, ({ code }) => <Link to={`/recharge-orders/${code}`}>{code}</Link>),
  column('player', labels.player, ({ user }) => <PersonLink person={user} />),
  column('channel', copy.channel, ({ channel }) => kitCopy.channels[channel]),
  vndColumn('amount', labels.amount),
  numberColumn('credited', labels.credited),
  column('status', labels.state, ({ status }) => copy.statuses[status]),
  momentColumn('created_at', copy.createdAt, { sort: 'created_at' }),
  momentColumn('paid_at', copy.paidAt),
]

const filters: readonly Filter[] = [
  { name: 'code', label: copy.code },
  { name: 'user', label: labels.player },
  { name: 'status', label: labels.state, options: optionsOf(copy.statuses) },
  {
    name: 'channel',
    label: copy.channel,
    type: 'number',
    options: optionsOf(kitCopy.channels),
  },
  { name: 'amount', label: labels.amount, type: 'number' },
  { name: 'promotion_id', label: copy.promotion },
]

export const Component = listScreen(operatorRechargeOrders.list, columns, filters, {
  usualSort: ['created_at', 'DESC'],
  empty: copy.empty,
  isFile: true,
})
