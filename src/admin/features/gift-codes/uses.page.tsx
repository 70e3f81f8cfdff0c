import { Link } from 'react-router'
import { listScreen } from '#admin/kit/data-list.tsx'
import { column, type Column, momentColumn } from '#admin/kit/data-table.tsx'
import type { Filter } from '#admin/kit/filter-bar.tsx'
import { PersonLink } from '#admin/kit/links.tsx'
import { type GiftCodeUse, operatorGiftCodeUses } from '#contract/operator/rewards/gift-codes.ts'
import { DELIVERY_WORDS } from '#contract/operator/words.ts'
import { giftCodesCopy as copy } from './gift-codes.copy.ts'

const columns: readonly Column<GiftCodeUse>[] = [
  momentColumn('used_at', copy.usedAt),
  column('user', copy.user, ({ user }) => <PersonLink person={user} />, { onPhone: 'main' }),
  column('batch', copy.batch, ({ batch_id }) => (
    <Link to={`/gift-codes?id=${batch_id}`}>{copy.batchNumber(batch_id)}</Link>
  )),
  column('delivery', copy.delivery, ({ delivery }) =>
    delivery === null ? null : (
      <Link to={`/deliveries/${delivery.id}`}>{DELIVERY_WORDS[delivery.state]}</Link>
    ),
  ),
]

const filters: readonly Filter[] = [
  { name: 'batch_id', label: copy.batchField },
  { name: 'user_id', label: copy.userField },
]

export const Component = listScreen(operatorGiftCodeUses.list, columns, filters, {
  lead: <p className="max-w-3xl">{copy.usesIntro}</p>,
  usualSort: ['id', 'DESC'],
  empty: copy.noUses,
})
