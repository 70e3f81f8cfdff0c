import { campaignScreen } from '#admin/kit/campaign-screen.tsx'
import { column, type Column, numberColumn } from '#admin/kit/data-table.tsx'
import { plannedTime } from '#admin/kit/format.ts'
import { kitCopy } from '#admin/kit/kit.copy.ts'
import { operatorPromotions, type Promotion } from '#contract/operator/promotions.ts'
import { Link } from 'react-router'
import { PlanDialog } from './promotion-form.tsx'
import { promotionsCopy as copy } from './promotions.copy.ts'

const columns: readonly Column<Promotion>[] = [
  column('time', copy.time, plannedTime, { isText: true }),
  column('sentence', copy.sentence, ({ sentence }) => <span className="block md:min-w-80">{sentence}</span>, {
    isText: true,
  }),
  column(
    'budget',
    kitCopy.campaign.budget,
    ({ budget_id, budget_title }) => <Link to={`/budgets?id=${budget_id}`}>{budget_title}</Link>,
    { isText: true },
  ),
  numberColumn('given', copy.given),
  numberColumn('held', copy.held),
  numberColumn('orders', copy.orders),
  numberColumn('players', copy.players),
]

export const Component = campaignScreen({
  endpoints: operatorPromotions,
  copy,
  columns,
  PlanDialog,
  givesOf: ({ sentence }) => sentence,
  costOf: ({ budget_id, cap_total }) => ({ budget: budget_id, coins: cap_total }),
})
