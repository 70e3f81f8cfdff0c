import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { Router } from 'wouter'
import { ORDER_STATUSES, type RechargeOrder } from '#contract/recharge.ts'
import { OrderDialog } from '#web/features/recharge/order-dialog.tsx'
import { laterOrder } from '#web/features/recharge/later-order.ts'
import { momentOfOrder } from '#web/features/recharge/order-moment.ts'
import { OrderOutcome } from '#web/features/recharge/order-outcome.tsx'
import { orderQuery } from '#web/features/recharge/recharge.api.ts'
import { orderStates } from '#web/features/recharge/recharge.copy.ts'
import { createPortalClient } from '#web/query-client.ts'
import { QueryClientContext } from '#web/use-query.ts'

const pending: RechargeOrder = {
  code: 'TCX7K2QF9XAMM',
  channel: 2,
  amount: 50_000,
  credited: 0,
  status: 'pending',
  qr: '',
  qr_svg: '',
  bank_name: 'Vietcombank',
  account_number: '0011000000001',
  account_name: 'CONG TY NINJA',
  memo: 'TCX7K2QF9XAMM',
  created_at: '2026-11-20T08:00:00.000Z',
  expires_at: '2026-11-20T08:30:00.000Z',
}

const creditedAt: Partial<Record<RechargeOrder['status'], number>> = {
  paid: 50_000,
  paid_under: 30_000,
  paid_over: 80_000,
}
const answerOf = (status: RechargeOrder['status']): RechargeOrder => ({
  ...pending,
  status,
  credited: creditedAt[status] ?? 0,
})

function clientAfter(order: readonly RechargeOrder['status'][]) {
  const client = createPortalClient({ transport: async () => ({ status: 503, text: '' }), isServer: false })
  const { queryKey } = client.entryOf(orderQuery(pending.code))
  for (const status of order) client.setQueryData(queryKey, answerOf(status))
  return { client, known: client.getQueryData<RechargeOrder>(queryKey)! }
}

const stepsIn = (html: string) => /<ol class="moment-steps">.*?<\/ol>/s.exec(html)?.[0]

const triples = ORDER_STATUSES.flatMap((first) =>
  ORDER_STATUSES.flatMap((second) => ORDER_STATUSES.map((third) => [first, second, third] as const)),
)

describe('the live dialog and the page of an order', () => {
  test('say the same after every order of answers, and TCoin that came do not go', () => {
    for (const order of triples) {
      const { client, known } = clientAfter(order)
      const draw = (shown: ReactNode) =>
        renderToStaticMarkup(
          <QueryClientContext value={client}>
            <Router ssrPath="/recharge">{shown}</Router>
          </QueryClientContext>,
        )
      const page = draw(<OrderOutcome order={known} />)
      const dialog = draw(
        <OrderDialog
          announcement={{ kind: 'success', lines: [], live: { kind: 'order', code: known.code } }}
        />,
      )
      const highest = Math.max(...order.map((status) => answerOf(status).credited))
      expect(known.credited, order.join()).toBe(highest)
      for (const html of [page, dialog]) expect(html).toContain(orderStates[known.status].text)
      expect(stepsIn(dialog)).toBe(stepsIn(page))
      expect(page.includes('Đã cộng TCoin') && !page.includes('Đội vận hành kiểm tra')).toBe(highest > 0)
    }
  })
})

test.each<[RechargeOrder['status'], string, string[]]>([
  ['pending', 'waiting', []],
  ['review', 'review', ['Đã nhận tiền:done', 'Đội vận hành kiểm tra:now', 'Đã cộng TCoin:later']],
  ['paid', 'done', ['Đã nhận tiền:done', 'Đã cộng TCoin:done']],
  ['paid_under', 'done', ['Đã nhận tiền:done', 'Đã cộng TCoin:done']],
  ['paid_over', 'done', ['Đã nhận tiền:done', 'Đã cộng TCoin:done']],
  ['expired', 'closed', []],
  ['cancelled', 'closed', []],
])('an order that is %s', (status, phase, steps) => {
  const moment = momentOfOrder(answerOf(status))
  expect(moment.phase).toBe(phase)
  expect(moment.stamp).toBe(phase === 'done' ? 'Đã cộng' : null)
  expect(moment.steps.map(({ name, state }) => `${name}:${state}`)).toEqual(steps)
})

test('the answer about another order replaces one that was credited', () => {
  const other = { ...pending, code: 'TCXANOTHER000' }
  expect(laterOrder(answerOf('paid'), other)).toBe(other)
})
