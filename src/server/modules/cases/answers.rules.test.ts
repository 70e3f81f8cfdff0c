import { describe, expect, test } from 'vitest'
import { WAITING_REASONS } from '#contract/deliveries.ts'
import { ORDER_STATUSES } from '#contract/recharge.ts'
import { TRANSACTION_TYPES } from '#contract/transactions.ts'
import { answersFor, type ReportedState } from './answers.rules.ts'

const CODE = 'TCX7K2QF9XAMM'
const ID = '0190a7f0-0000-7000-8000-000000000001'
const DELIVERY = { kind: 'delivery', id: ID, status: 'delivered', waiting: null, isPaid: true } as const

const deliveries: ReportedState[] = (['pending', 'delivered', 'refunded'] as const).flatMap((status) =>
  [true, false].flatMap((isWithStaff) =>
    [true, false].flatMap((isUncollected) =>
      [true, false].flatMap((isPaid) =>
        [null, ...WAITING_REASONS].map((waiting) => ({
          kind: 'delivery' as const,
          id: ID,
          status,
          isWithStaff,
          isUncollected,
          isPaid,
          waiting,
        })),
      ),
    ),
  ),
)

const states: ReportedState[] = [
  ...ORDER_STATUSES.map((status) => ({ kind: 'order' as const, code: CODE, status })),
  ...deliveries,
]

describe('answers to common questions', () => {
  test.each(states)('are there for %j, complete sentences with a link', (state) => {
    const answers = answersFor(state)
    expect(answers.length).toBeGreaterThan(0)
    for (const { question, answer, link } of answers) {
      expect(question.length).toBeGreaterThan(10)
      expect(answer).toMatch(/^\p{Lu}.*[.]$/u)
      expect(link?.href).toMatch(/^\//)
    }
  })

  test.each(TRANSACTION_TYPES)('about a transaction of the type %s have at most one', (type) => {
    expect(answersFor({ kind: 'transaction', type }).length).toBeLessThanOrEqual(1)
  })

  test.each(['pending', 'expired', 'cancelled'] as const)(
    'of an order that is %s lead to a claim',
    (status) => {
      const links = answersFor({ kind: 'order', code: CODE, status }).map(({ link }) => link?.href)
      expect(links).toContain(`/recharge/claim?order=${CODE}`)
    },
  )

  test.each(['review', 'paid_over'] as const)(
    'of an order that is %s lead to no claim: its money is here',
    (status) => {
      const links = answersFor({ kind: 'order', code: CODE, status }).map(({ link }) => link?.href)
      expect(links).toEqual([`/recharge/${CODE}`])
    },
  )

  test('of goods in the game say what keeps them from the character', () => {
    const text = (waiting: (typeof WAITING_REASONS)[number]) =>
      answersFor({ ...DELIVERY, isWithStaff: false, isUncollected: true, waiting })[0]?.answer
    expect(text('bag-full')).toContain('Hành trang đầy')
    expect(text('offline')).toContain('chờ bạn vào game')
  })

  test('of goods that are back say that TCoin came back, unless they cost nothing', () => {
    const text = (isPaid: boolean) =>
      answersFor({ ...DELIVERY, status: 'refunded', isWithStaff: false, isUncollected: false, isPaid })[0]
        ?.answer
    expect(text(true)).toContain('TCoin đã được hoàn')
    expect(text(false)).not.toContain('TCoin')
  })
})
