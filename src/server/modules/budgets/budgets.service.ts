import { randomUUID } from 'node:crypto'
import type { AnswerOf, QueryOf } from '#contract/endpoint.ts'
import { COINS_MAX } from '#contract/fields.ts'
import { formatNumber } from '#contract/format.ts'
import type { Budget, operatorBudgets } from '#contract/operator/promotions.ts'
import {
  type ActCall,
  actAsOperator,
  changeRow,
  countAlone,
  type Recorded,
} from '#server/modules/audit/index.ts'
import {
  type CoinMovement,
  coinProposals,
  propose,
  type ProposalsDeps,
  proposedCoins,
} from '#server/modules/proposals/index.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import { HOUSE, postTransfer } from '#server/modules/wallet/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { assertPermitted, type UserCall } from '#server/platform/http/api.ts'
import type { ListPage } from '#server/platform/http/list.ts'
import { invalidField, orNotFound } from '#server/platform/values/errors.ts'
import {
  findBalances,
  findBudget,
  findTitles,
  insertBudget,
  lockBudget,
  selectBudgets,
  updateFunded,
} from './budgets.queries.ts'

const TITLE_TAKEN = 'Đã có ngân sách khác dùng tên này'

const holdsOnly = (balance: number) =>
  invalidField('amount', `Ngân sách chỉ còn ${formatNumber(balance)} TCoin chưa phát và chưa hứa`)

type Filter = NonNullable<QueryOf<typeof operatorBudgets.list>['filter']>

export const listBudgets = (db: Db, { id }: Filter, page: ListPage) => selectBudgets(db, id, page)

async function getBudget(db: Db | Tx, id: string): Promise<Budget> {
  return orNotFound(await findBudget(db, id))
}

export const createBudget = (deps: ProposalsDeps, call: UserCall<typeof operatorBudgets.create>) =>
  changeRow<Budget>(deps, call, {
    action: 'budgets.create',
    type: 'budget',
    async work(tx) {
      const id = await insertBudget(tx, { title: call.body.title, madeBy: call.identity.userId })
      if (id === undefined) throw invalidField('title', TITLE_TAKEN)
      return { before: null, after: await getBudget(tx, id) }
    },
  })

type Chosen = { budget_id?: string | null | undefined; new_budget?: string | undefined }

/** The budget that a campaign takes its TCoin from: the chosen one, or a new one that is made with the campaign. */
export async function budgetOfCampaign(
  tx: Tx,
  call: Pick<ActCall, 'identity' | 'request'> & { body: Chosen },
): Promise<{ id: string; made: Recorded[] }> {
  const { budget_id, new_budget } = call.body
  if (new_budget === undefined) {
    const budget = await findBudget(tx, budget_id ?? '0')
    if (budget === undefined) throw invalidField('budget_id', 'Hãy chọn một ngân sách')
    return { id: budget.id, made: [] }
  }
  assertPermitted(call, 'settings.money')
  const id = await insertBudget(tx, { title: new_budget, madeBy: call.identity.userId })
  if (id === undefined) throw invalidField('new_budget', TITLE_TAKEN)
  const details = { before: null, after: await getBudget(tx, id) }
  return { id, made: [{ action: 'budgets.create', subject: { type: 'budget', id }, details }] }
}

const budgetFull = () => invalidField('amount', 'Ngân sách không chứa được nhiều TCoin như vậy')

type FundCall = UserCall<typeof operatorBudgets.fund>
type FundAnswer = AnswerOf<typeof operatorBudgets.fund>

/** Puts TCoin into a budget, or takes back what is left. Above the limit a second person decides. */
export async function fundBudget(deps: ProposalsDeps, call: FundCall): Promise<FundAnswer> {
  const { params, body, identity, request } = call
  const { amount, reason } = body
  const by = { operatorId: identity.userId, requestId: request.id }
  return actAsOperator<FundAnswer>(deps, call, {
    action: 'budgets.fund',
    async work(tx) {
      const before = await getBudget(tx, params.id)
      const { manualCreditLimit } = await readSettings(tx)
      const limited = { action: 'budgets.fund', userId: null, coins: Math.abs(amount) } as const
      if (!(await countAlone(tx, { ...limited, operatorId: by.operatorId, limit: manualCreditLimit }))) {
        assertPossible(before.balance, amount)
        const change = { kind: 'budget', subject: before.id, payload: proposedCoins(amount), reason } as const
        const proposal = await propose(deps, tx, { ...change, ...by })
        if (proposal !== null) return { answer: { proposal }, audit: null }
      }
      await fundNow(tx, { id: before.id, amount, sourceId: randomUUID(), by })
      const budget = await getBudget(tx, before.id)
      const details = { amount, before, after: budget }
      return { answer: { budget }, audit: { subject: { type: 'budget', id: before.id }, details } }
    },
  })
}

/** Throws where the budget does not hold what is taken back. */
async function fundNow(tx: Tx, { id, amount, sourceId, by }: CoinMovement): Promise<void> {
  const budget = orNotFound(await lockBudget(tx, id))
  assertPossible(budget.balance, amount)
  const [debit, credit] =
    amount > 0 ? [HOUSE.promotion, budget.accountId] : [budget.accountId, HOUSE.promotion]
  await postTransfer(tx, {
    kind: 'budget',
    debit,
    credit,
    amount: Math.abs(amount),
    source: { type: 'budget', id: `${id}:${sourceId}` },
    actorOperatorId: by.operatorId,
    requestId: by.requestId,
  })
  await updateFunded(tx, id, amount)
}

function assertPossible(balance: number, amount: number): void {
  if (balance + amount < 0) throw holdsOnly(balance)
  if (balance + amount > COINS_MAX) throw budgetFull()
}

export const budgetProposals = coinProposals({
  titleOf: async (id, db) =>
    `Cấp hoặc rút TCoin của ngân sách “${(await findTitles(db, [id])).get(id) ?? id}”`,
  moveNow: fundNow,
  label: 'Ngân sách còn',
  readBalances: findBalances,
})
