import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { COINS_MAX, idText, moment } from '../fields.ts'
import { growingListQuery, idFilter, keyed, oneOrMany, onRow, person, reason, textBetween } from './fields.ts'
import { operatorProposalSchema } from './proposals.ts'
import { permitted } from './roles.ts'

export const budgetSchema = z.object({
  id: idText,
  title: z.string(),
  /** TCoin put in, without those taken back. */
  funded: z.number(),
  /** TCoin that are neither given nor promised. */
  balance: z.number(),
  /** TCoin given to players. */
  given: z.number(),
  made_by: person,
  made_at: moment,
})

export type Budget = z.output<typeof budgetSchema>

const title = textBetween('Vui lòng nhập tên', [3, 'Tên tối thiểu 3 kí tự'], [80, 'Tên tối đa 80 kí tự'])

/** What is put in; negative where it is taken back. */
const signedAmount = z.int('Số TCoin phải là số nguyên').check(
  z.gte(-COINS_MAX, 'Số TCoin quá lớn'),
  z.lte(COINS_MAX, 'Số TCoin quá lớn'),
  z.refine((amount) => amount !== 0, 'Số TCoin phải khác 0'),
)

export const operatorBudgets = {
  list: endpoint('GET', '/operator/budgets', permitted('ledger.read'), {
    summary:
      'What the house may give away as TCoin, by budget: what was put in, what is left and what was given. The movements of one: the ledger transfers with the filter `budget`. At most 10,000 are counted.',
    query: growingListQuery(['id'], { id: z.optional(oneOrMany(idFilter)) }),
    answer: z.array(budgetSchema),
  }),
  create: endpoint('POST', '/operator/budgets', permitted('settings.money'), {
    summary: 'Makes an empty budget.',
    body: z.object({ title, reason }),
    answer: budgetSchema,
    status: 201,
    ...keyed('CONFLICT'),
  }),
  fund: endpoint('POST', '/operator/budgets/{id}/fund', permitted('settings.money'), {
    summary:
      'Puts TCoin into a budget, or takes back what is neither given nor promised (a negative amount). Takes a fresh step-up, and above manual_credit_limit a second person.',
    body: z.object({ amount: signedAmount, reason }),
    answer: z.union([z.object({ budget: budgetSchema }), z.object({ proposal: operatorProposalSchema })]),
    mayWait: true,
    ...onRow('CONFLICT', 'STEP_UP_REQUIRED'),
  }),
}
