import type { TestAnswer, TestApp } from './app.ts'
import type { TestOperator } from './operators.ts'

export const PLANNED_PATH = '/api/operator/planned-prices'

export const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

/** Plans twice the usual bonus, from in an hour until in two. */
export const planPrice = (portal: TestApp, { token }: TestOperator, body: object = {}): Promise<TestAnswer> =>
  portal.call('POST', PLANNED_PATH, {
    token,
    body: {
      setting: 'exchange_bonus',
      value: '20',
      reason: 'Khuyến mãi cuối tuần',
      starts_at: inHours(1),
      ends_at: inHours(2),
      ...body,
    },
  })

export const listPlans = (
  portal: TestApp,
  { token }: TestOperator,
  filter: object = {},
): Promise<TestAnswer> =>
  portal.call('GET', `${PLANNED_PATH}?filter=${encodeURIComponent(JSON.stringify(filter))}`, { token })
