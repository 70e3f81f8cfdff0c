import type { AnswerOf } from '#contract/endpoint.ts'
import { formatNumber, formatSpan } from '#contract/format.ts'
import { DRY_RUN_DAYS, type operatorPromotions, type Promotion } from '#contract/operator/promotions.ts'
import { coinsWorth } from '#contract/operator/rewards/goods-worth.ts'
import { sentenceOf } from '#contract/promotion-rules.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import { budgetOfCampaign } from '#server/modules/budgets/index.ts'
import {
  allOfThem,
  assertEndsLater,
  campaignActs,
  type ProposalsDeps,
} from '#server/modules/proposals/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, sqlState, type Tx } from '#server/platform/db/transaction.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { orNotFound } from '#server/platform/values/errors.ts'
import {
  channelName,
  costOver,
  findPromotion,
  insertPromotion,
  lockPromotion,
  markRunning,
  markStopped,
  selectPromotions,
  updatePromotion,
} from './promotions.queries.ts'

export { selectPromotions as listPromotions } from './promotions.queries.ts'

async function getPromotion(db: Db | Tx, id: string): Promise<Promotion> {
  return orNotFound(await findPromotion(db, id))
}

/** What SQLSTATE 57014 says: the statement took longer than it may. */
const TOO_LONG = '57014'

/** What players would read, and what it would have cost; nothing is stored. */
export async function previewPromotion(
  { db }: ProposalsDeps,
  terms: UserCall<typeof operatorPromotions.preview>['body'],
): Promise<AnswerOf<typeof operatorPromotions.preview>> {
  const sentence = sentenceOf(terms, channelName(terms.channel))
  try {
    return { sentence, cost: await inTransaction(db, (tx) => costOver(tx, terms, DRY_RUN_DAYS)) }
  } catch (error) {
    if (sqlState(error) === TOO_LONG) return { sentence, cost: null }
    throw error
  }
}

type PlanCall = UserCall<typeof operatorPromotions.plan>
type PlanAnswer = AnswerOf<typeof operatorPromotions.plan>

/** Writes a promotion down, with a new budget where it names one and its start proposed where the caller says so. */
export const planPromotion = (deps: ProposalsDeps, call: PlanCall): Promise<PlanAnswer> =>
  actAsOperator<PlanAnswer>(deps, call, {
    action: 'promotions.plan',
    async work(tx) {
      const { row, proposal, audit } = await planIn(deps, tx, {
        call,
        async insert() {
          const { reason: _, start: _start, funding: _funding, new_budget: _new, ...terms } = call.body
          assertEndsLater(deps, terms.ends_at)
          const budget = await budgetOfCampaign(tx, call)
          const madeBy = call.identity.userId
          return {
            id: await insertPromotion(tx, { ...terms, budget_id: budget.id, madeBy }),
            made: budget.made,
          }
        },
      })
      return { answer: proposal === null ? row : { proposal }, audit }
    },
  })

export const changePromotion = (deps: ProposalsDeps, call: UserCall<typeof operatorPromotions.update>) =>
  update(deps, {
    call,
    async change(tx, { id }) {
      const { reason: _, updated_at: _at, new_budget: _new, ...terms } = call.body
      assertEndsLater(deps, terms.ends_at)
      const budget = await budgetOfCampaign(tx, call)
      await updatePromotion(tx, { ...terms, id, budget_id: budget.id })
      return budget.made
    },
  })

/** Locks a promotion, and says why it cannot be started now; null: it can. */
async function whyNotStarted(tx: Tx, id: string, funding: number): Promise<string | null> {
  const locked = await lockPromotion(tx, id)
  if (locked?.state !== 'planned') return 'Khuyến mãi này đã chạy hoặc đã dừng, vui lòng tải lại trang'
  if (locked.isOver) return 'Thời gian của khuyến mãi này đã qua hết'
  return locked.balance + funding < locked.capTotal
    ? `Ngân sách chỉ còn ${formatNumber(locked.balance)} TCoin, ít hơn tổng tối đa của khuyến mãi`
    : null
}

/** Once stopped it promises nothing more; what was promised stays promised. */
const {
  planIn,
  update,
  start: startPromotion,
  stop: stopPromotion,
  proposals: promotionProposals,
} = campaignActs<Promotion, { promotion: Promotion }>({
  kind: 'promotion',
  acts: {
    plan: 'promotions.plan',
    update: 'promotions.update',
    start: 'promotions.start',
    stop: 'promotions.stop',
  },
  titleOfStart: (title) => `Chạy khuyến mãi “${title}”`,
  alreadyStopped: 'Khuyến mãi này đã dừng, vui lòng tải lại trang',
  notPlanned: 'Khuyến mãi này đã chạy hoặc đã dừng nên không sửa được nữa',
  budgetOf: ({ budget_id }) => budget_id,
  lock: lockPromotion,
  get: getPromotion,
  answerOf: (promotion) => ({ promotion }),
  list: async (db, ids) => (await selectPromotions(db, { id: [...ids] }, allOfThem(ids))).rows,
  plural: 'khuyến mãi',
  termsOf: (promotion, prices) => ({
    lines: [
      { label: 'Điều kiện', before: null, after: promotion.sentence },
      { label: 'Thời gian', before: null, after: formatSpan(promotion.starts_at, promotion.ends_at) },
      { label: 'Tối đa mỗi người', before: null, after: coinsWorth(promotion.cap_per_player, prices) },
      { label: 'Ngân sách', before: null, after: promotion.budget_title },
    ],
    worst: coinsWorth(promotion.cap_total, prices),
  }),
  whyNotStarted,
  startNow: markRunning,
  stopNow: markStopped,
})

export { startPromotion, stopPromotion, promotionProposals }
