import { Link } from 'react-router'
import { listScreen } from '#admin/kit/data-list.tsx'
import { column, type Column, momentColumn, vndColumn } from '#admin/kit/data-table.tsx'
import { type Filter, optionsOf } from '#admin/kit/filter-bar.tsx'
import { labels } from '#admin/kit/kit.copy.ts'
import { PersonLink } from '#admin/kit/links.tsx'
import { type OperatorClaim, operatorClaims } from '#contract/operator/recharge.ts'
import { claimsCopy as copy, ClaimStatus } from './claim-parts.tsx'

const columns: readonly Column<OperatorClaim>[] = [
  column('id', labels.id, ({ id }) => <Link to={`/recharge-claims/${id}`}>{id}</Link>, { sort: 'id' }),
  column('player', labels.player, ({ user_id: id, username }) => <PersonLink person={{ id, username }} />),
  vndColumn('amount', labels.amount),
  momentColumn('paid_at', copy.paidAt),
  column('reference', labels.reference, ({ bank_reference }) => bank_reference),
  column('picture', copy.picture, ({ has_picture }) => (has_picture ? copy.hasPicture : '—')),
  column('status', labels.state, ({ status }) => <ClaimStatus status={status} />),
  momentColumn('created_at', copy.createdAt),
]

const filters: readonly Filter[] = [
  { name: 'status', label: labels.state, options: optionsOf(copy.statuses) },
]

export const Component = listScreen(operatorClaims.list, columns, filters, {
  usualSort: ['id', 'DESC'],
  empty: copy.empty,
  refreshMs: 60_000,
  isFile: true,
})
