import { Link } from 'react-router'
import { campaignScreen } from '#admin/kit/campaign-screen.tsx'
import { column, type Column, numberColumn } from '#admin/kit/data-table.tsx'
import { plannedTime } from '#admin/kit/format.ts'
import { kitCopy } from '#admin/kit/kit.copy.ts'
import { goodsInWords } from '#contract/deliveries.ts'
import { formatNumber } from '#contract/format.ts'
import { type GiftCodeBatch, operatorGiftCodes } from '#contract/operator/rewards/gift-codes.ts'
import { MakeDialog } from './batch-form.tsx'
import { giftCodesCopy as copy } from './gift-codes.copy.ts'

const gift = ({ coins, goods }: GiftCodeBatch): string =>
  coins === null ? goodsInWords(goods ?? []) : copy.coins(formatNumber(coins))

const columns: readonly Column<GiftCodeBatch>[] = [
  column('gives', copy.gives, gift, { isText: true }),
  column('uses', copy.uses, ({ uses, codes, uses_per_code }) => (
    <span className="whitespace-nowrap tabular-nums">
      {copy.of(formatNumber(uses), formatNumber(codes * uses_per_code))}
    </span>
  )),
  numberColumn('per_player', copy.perPlayer),
  column('server', copy.server, ({ server_name }) => server_name ?? copy.anyServer, { isText: true }),
  column('time', copy.time, plannedTime, { isText: true }),
  column('budget', kitCopy.campaign.budget, ({ budget_id, budget_title }) =>
    budget_id === null ? null : <Link to={`/budgets?id=${budget_id}`}>{budget_title}</Link>,
  ),
  numberColumn('held', copy.held),
]

export const Component = campaignScreen({
  endpoints: operatorGiftCodes,
  copy,
  columns,
  PlanDialog: MakeDialog,
  givesOf: gift,
  costOf: ({ budget_id, coins, codes, uses_per_code }) =>
    budget_id === null || coins === null ? null : { budget: budget_id, coins: coins * codes * uses_per_code },
  linkOf: ({ id, title }) => (
    <Link to={`/gift-code-uses?batch_id=${id}`} aria-label={copy.seeUsesOf(title)}>
      {copy.seeUses}
    </Link>
  ),
})
