import type { AnswerOf, QueryOf } from '#contract/endpoint.ts'
import { formatNumber } from '#contract/format.ts'
import { DRY_RUN_DAYS, type operatorPromotions, type Promotion } from '#contract/operator/promotions.ts'
import { sentenceOf } from '#contract/promotion-rules.ts'
import { actAsOperator, changeRow } from '#server/modules/audit/index.ts'
import { propose, type ProposalKinds, type ProposedChange } from '#server/modules/proposals/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, sqlState, type Tx } from '#server/platform/db/transaction.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { invalidField, notFound, Refusal } from '#server/platform/values/errors.ts'
import {
  channelName,
  costOver,
  findPromotion,
  findStates,
  insertPromotion,
  type LockedPromotion,
  lockPromotion,
  markRunning,
  markStopped,
  selectPromotions,
} from './promotions.queries.ts'

export type PromotionsDeps = PlatformDeps & { proposalKinds: ProposalKinds; isSecondPersonNeeded: boolean }

const conflict = (message: string, promotion: Promotion) =>
  new Refusal('CONFLICT', { message, present: { promotion } })

const noBudget = () => invalidField('budget_id', 'Hãy chọn một ngân sách')
const endPassed = () => invalidField('ends_at', 'Giờ kết thúc phải ở sau lúc này')

export const listPromotions = (
  db: Db,
  filter: NonNullable<QueryOf<typeof operatorPromotions.list>['filter']>,
  page: ListPage,
): Promise<ListRows<Promotion>> => selectPromotions(db, filter, page)

async function getPromotion(db: Db | Tx, id: string): Promise<Promotion> {
  const found = await findPromotion(db, id)
  if (found === undefined) throw notFound()
  return found
}

/** What SQLSTATE 57014 says: the statement took longer than it may. */
const TOO_LONG = '57014'

/** What players would read, and what it would have cost; nothing is stored. */
export async function previewPromotion(
  { db }: PromotionsDeps,
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

export const planPromotion = (deps: PromotionsDeps, call: UserCall<typeof operatorPromotions.plan>) =>
  changeRow<Promotion>(deps, call, {
    action: 'promotions.plan',
    type: 'promotion',
    async work(tx) {
      const { reason: _, ...promotion } = call.body
      if (Date.parse(promotion.ends_at) <= deps.clock.now().getTime()) throw endPassed()
      const id = await insertPromotion(tx, { ...promotion, madeBy: call.identity.userId })
      if (id === undefined) throw noBudget()
      return { before: null, after: await getPromotion(tx, id) }
    },
  })

type StartAnswer = AnswerOf<typeof operatorPromotions.start>

/** Starts a promotion once a second person approves. */
export async function startPromotion(
  deps: PromotionsDeps,
  call: UserCall<typeof operatorPromotions.start>,
): Promise<StartAnswer> {
  const { params, body, identity, request } = call
  return actAsOperator<StartAnswer>(deps, call, {
    action: 'promotions.start',
    async work(tx) {
      const locked = await lockPromotion(tx, params.id)
      const promotion = await getPromotion(tx, params.id)
      const refusal = whyNotStarted(locked)
      if (refusal !== null) throw conflict(refusal, promotion)
      const proposal = await propose(deps, tx, {
        kind: 'promotion',
        subject: promotion.id,
        payload: { before: 'planned', after: 'running' },
        reason: body.reason,
        operatorId: identity.userId,
        requestId: request.id,
      })
      if (proposal !== null) return { answer: { proposal }, audit: null }
      await markRunning(tx, promotion.id)
      const after = await getPromotion(tx, promotion.id)
      return { answer: { promotion: after }, audit: recorded(promotion, after) }
    },
  })
}

/** Why a promotion cannot be started now; null: it can. */
function whyNotStarted(locked: LockedPromotion | undefined): string | null {
  if (locked?.state !== 'planned') return 'Khuyến mãi này đã chạy hoặc đã dừng, vui lòng tải lại trang'
  if (locked.isOver) return 'Thời gian của khuyến mãi này đã qua hết'
  return locked.balance < locked.capTotal
    ? `Ngân sách chỉ còn ${formatNumber(locked.balance)} TCoin, ít hơn tổng tối đa của khuyến mãi`
    : null
}

/** Ends a promotion for new orders; what was promised stays promised. */
export const stopPromotion = (deps: PromotionsDeps, call: UserCall<typeof operatorPromotions.stop>) =>
  actAsOperator<Promotion>(deps, call, {
    action: 'promotions.stop',
    async work(tx) {
      const { id } = call.params
      const locked = await lockPromotion(tx, id)
      const before = await getPromotion(tx, id)
      if (locked?.state === 'stopped')
        throw conflict('Khuyến mãi này đã dừng, vui lòng tải lại trang', before)
      await markStopped(tx, { id, by: call.identity.userId })
      const after = await getPromotion(tx, id)
      return { answer: after, audit: recorded(before, after) }
    },
  })

const recorded = (before: Promotion, after: Promotion) => ({
  subject: { type: 'promotion', id: after.id },
  details: {
    before: { title: before.title, state: before.state },
    after: { title: after.title, state: after.state },
  },
})

/** How a promotion that a second person approved is started. */
export const promotionProposals = {
  async titleOf(id: string, db: Db | Tx): Promise<string> {
    return `Chạy khuyến mãi “${(await findStates(db, [id])).get(id)?.title ?? id}”`
  },
  async readMany(db: Db, ids: readonly string[]): Promise<Map<string, string | null>> {
    const states = await findStates(db, ids)
    return new Map(ids.map((id) => [id, states.get(id)?.state ?? null]))
  },
  /** False when it was stopped, its time has passed, or its budget does not hold its cap any more. */
  async apply(tx: Tx, { subject }: ProposedChange): Promise<boolean> {
    if (whyNotStarted(await lockPromotion(tx, subject)) !== null) return false
    await markRunning(tx, subject)
    return true
  },
} as const
