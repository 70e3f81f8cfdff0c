import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { Router } from 'wouter'
import { ORDER_STATUSES, type RechargeOrder } from '#contract/recharge.ts'
import { newerOrder, orderQuery } from '#web/features/recharge/recharge.api.ts'
import { orderProgress } from '#web/features/recharge/order-progress.ts'
import { OrderOutcome } from '#web/features/recharge/order-outcome.tsx'
import { orderStateTexts } from '#web/features/recharge/order.copy.ts'
import { createPortalClient } from '#web/query-client.ts'

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
  bonus: null,
  purchase: null,
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
  const client = createPortalClient({ call: () => Promise.reject(new Error('No call is made')) })
  const query = orderQuery(pending.code)
  const { queryKey } = client.getQueryCache().build(client, client.defaultQueryOptions(query))
  for (const status of order) client.setQueryData(queryKey, answerOf(status))
  return { client, known: client.getQueryData<RechargeOrder>(queryKey)! }
}

const renderHtml = (client: QueryClient, shown: ReactNode) =>
  renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Router ssrPath="/recharge">{shown}</Router>
    </QueryClientProvider>,
  )

const triples = ORDER_STATUSES.flatMap((first) =>
  ORDER_STATUSES.flatMap((second) => ORDER_STATUSES.map((third) => [first, second, third] as const)),
)

describe('the page of an order', () => {
  test('shows the last answer after every order of answers, and credited TCoin stay', () => {
    for (const order of triples) {
      const { client, known } = clientAfter(order)
      const page = renderHtml(client, <OrderOutcome order={known} />)
      const highest = Math.max(...order.map((status) => answerOf(status).credited))
      expect(known.credited, order.join()).toBe(highest)
      expect(page).toContain(orderStateTexts[known.status].text)
      expect(page.includes('Đã cộng TCoin') && !page.includes('Đội vận hành kiểm tra')).toBe(highest > 0)
    }
  })

  test('offers the exchange, unless the order is about to buy by itself', () => {
    const { client } = clientAfter(['paid'])
    const purchase = {
      kind: 'exchange' as const,
      character_id: '7',
      character_name: 'kiemgia',
      amount: 50_000,
      receive: 16_500,
      delivery: null,
    }
    const offered = (['waiting', 'bought', 'not-bought'] as const).map((state) => {
      const order = { ...answerOf('paid'), purchase: { ...purchase, state } }
      return renderHtml(client, <OrderOutcome order={order} />).includes('href="/exchange')
    })
    expect(offered).toEqual([false, true, true])
  })
})

test.each<[RechargeOrder['status'], string, string[]]>([
  ['pending', 'waiting', []],
  ['review', 'review', ['Đã nhận tiền:done', 'Đội vận hành kiểm tra:now', 'Đã cộng TCoin:later']],
  ['paid', 'done', ['Đã nhận tiền:done', 'Đã cộng TCoin:done']],
  ['paid_under', 'partial', ['Đã nhận tiền:done', 'Đã cộng TCoin:done']],
  ['paid_over', 'done', ['Đã nhận tiền:done', 'Đã cộng TCoin:done']],
  ['expired', 'closed', []],
  ['cancelled', 'closed', []],
])('an order that is %s', (status, phase, steps) => {
  const progress = orderProgress(answerOf(status))
  expect(progress.phase).toBe(phase)
  expect(progress.stamp).toBe(phase === 'done' ? 'Đã cộng' : null)
  expect(progress.steps.map(({ name, state }) => `${name}:${state}`)).toEqual(steps)
})

test('an order that was paid in part shows what is missing, offers to pay it, and is not shown as done', () => {
  const payment = { amount: 30_000, bank_reference: null, arrived_at: pending.created_at, credited_at: null }
  const { client } = clientAfter([])
  const html = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Router ssrPath="/recharge">
        <OrderOutcome order={{ ...answerOf('paid_under'), payment }} />
      </Router>
    </QueryClientProvider>,
  )
  expect(html).toContain('còn thiếu 20,000 VND')
  expect(html).toMatch(/href="\/recharge\?amount=20000"[^>]*>Nạp thêm 20,000 VND/)
  expect(html).not.toContain('bg-leaf-wash')
})

test('the answer about another order replaces one that was credited', () => {
  const other = { ...pending, code: 'TCXANOTHER000' }
  expect(newerOrder(answerOf('paid'), other)).toBe(other)
})
