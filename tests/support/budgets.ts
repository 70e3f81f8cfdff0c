import { randomUUID } from 'node:crypto'
import type { Budget } from '#contract/operator/promotions.ts'
import { invariant } from '#server/platform/values/errors.ts'
import type { TestApp } from './app.ts'
import type { TestOperator } from './operators.ts'

/** An operator's call on budgets, and its answer. */
export const onBudgets = (
  portal: Pick<TestApp, 'call'>,
  { token }: Pick<TestOperator, 'token'>,
  path = '',
  body?: object,
) =>
  portal.call(body ? 'POST' : 'GET', `/api/operator/budgets${path}`, {
    token,
    ...(body && { body: { reason: 'Khuyến mãi cuối tuần', ...body } }),
  })

/** An empty budget. */
export async function aBudget(
  portal: Pick<TestApp, 'call'>,
  owner: Pick<TestOperator, 'token'>,
): Promise<Budget> {
  const made = await onBudgets(portal, owner, '', { title: `Ngân sách ${randomUUID()}` })
  invariant(made.status === 201, `a budget is made: ${JSON.stringify(made.body)}`)
  return made.body as Budget
}
