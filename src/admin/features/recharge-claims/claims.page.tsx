import { Link } from 'react-router'
import { CLAIM_STATUSES } from '#contract/recharge-claims.ts'
import { type OperatorClaim, operatorClaims } from '#contract/operator/recharge.ts'
import { claimsCopy as copy } from '#admin/features/recharge-claims/claims.copy.ts'
import { ClaimStatus } from '#admin/features/recharge-claims/claim-status.tsx'
import { DataList } from '#admin/kit/data-list.tsx'
import type { Column } from '#admin/kit/data-table.tsx'
import type { Filter } from '#admin/kit/filter-bar.tsx'
import { momentText, vnd } from '#admin/kit/format.ts'
import { PersonLink } from '#admin/kit/links.tsx'
import { ScreenFrame } from '#admin/kit/screen.tsx'

const columns: readonly Column<OperatorClaim>[] = [
  {
    name: 'id',
    label: copy.id,
    sort: 'id',
    cell: ({ id }) => <Link to={`/recharge-claims/${id}`}>{id}</Link>,
  },
  {
    name: 'player',
    label: copy.player,
    cell: ({ user_id: id, username }) => <PersonLink person={{ id, username }} />,
  },
  { name: 'amount', label: copy.amount, isNumber: true, cell: ({ amount }) => vnd(amount) },
  { name: 'paid_at', label: copy.paidAt, cell: ({ paid_at }) => momentText(paid_at) },
  { name: 'reference', label: copy.reference, cell: ({ bank_reference }) => bank_reference },
  { name: 'picture', label: copy.picture, cell: ({ has_picture }) => (has_picture ? copy.hasPicture : '—') },
  { name: 'status', label: copy.status, cell: ({ status }) => <ClaimStatus status={status} /> },
  { name: 'created_at', label: copy.createdAt, cell: ({ created_at }) => momentText(created_at) },
]

const filters: readonly Filter[] = [
  {
    name: 'status',
    label: copy.status,
    options: CLAIM_STATUSES.map((value) => ({ value, label: copy.statuses[value] })),
  },
]

export function Component() {
  return (
    <ScreenFrame title={copy.title}>
      <DataList
        endpoint={operatorClaims.list}
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
