import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { Router } from 'wouter'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { CallError } from '#client/call.ts'
import type { DeliveryReceipt } from '#contract/deliveries.ts'
import { delivery } from '#tests/support/page-states/receipt-states.ts'
import { PurchaseMessage } from '#web/features/deliveries/purchase-message.tsx'
import { Receipt } from '#web/features/deliveries/receipt.tsx'
import { newerReceipt, deliveryProgress } from '#web/parts/deliveries/delivery-progress.ts'
import { receiptQuery } from '#web/parts/deliveries/delivery-watch.ts'
import { createPortalClient } from '#web/query-client.ts'

const bought: DeliveryReceipt = {
  ...delivery({ goods: [{ kind: 'luong', quantity: 3_300 }], amount: 10_000 }),
  id: '0198f5a2-6d7b-7c3e-9a51-3f2b8d90c4e1',
  character_name: 'kiemgia',
  character_head: 5,
  character_head_name: null,
  server_name: 'Trúc Lâm',
  is_with_staff: false,
  refund_reason: null,
}
const settled_at = '2026-11-20T08:25:02.000Z'

/** What the server may answer, in whatever order the answers come. */
const answers = {
  sending: bought,
  staff: { ...bought, is_with_staff: true },
  done: { ...bought, status: 'delivered', settled_at },
  sent: { ...bought, status: 'delivered', settled_at, is_collection_told: true },
  waits: { ...bought, status: 'delivered', settled_at, is_collection_told: true, waiting: 'bag-full' },
  collected: {
    ...bought,
    status: 'delivered',
    settled_at,
    is_collection_told: true,
    collected_at: '2026-11-20T09:00:00.000Z',
  },
  refunded: { ...bought, status: 'refunded', settled_at, refund_reason: 'Túi đồ của nhân vật đã đầy.' },
} satisfies Record<string, DeliveryReceipt>

type Event = keyof typeof answers
const events = Object.keys(answers) as Event[]

/** Every order of so many answers. */
function ordersOf(length: number): Event[][] {
  if (length === 0) return [[]]
  return ordersOf(length - 1).flatMap((before) => events.map((event) => [...before, event]))
}
const orders = [1, 2, 3].flatMap(ordersOf)

const stages: Record<Event, number> = {
  sending: 0,
  staff: 0,
  sent: 1,
  waits: 1,
  done: 2,
  collected: 2,
  refunded: 2,
}

/** The expected state: the last answer of those that came furthest. */
function endOf(order: readonly Event[]): Event {
  const furthest = Math.max(...order.map((event) => stages[event]))
  return order.findLast((event) => stages[event] === furthest)!
}

/** A browser that got these answers, one after the other. */
function browserAfter(order: readonly Event[], error: Error | null = null): QueryClient {
  const client = createPortalClient({ call: () => Promise.reject(new Error('No call is made')) })
  const query = client.getQueryCache().build(client, client.defaultQueryOptions(receiptQuery(bought.id)))
  for (const event of order) client.setQueryData(query.queryKey, answers[event])
  if (error) query.setState({ error, status: 'error' })
  return client
}

const renderHtml = (client: QueryClient, shown: ReactNode) =>
  renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Router ssrPath="/exchange">{shown}</Router>
    </QueryClientProvider>,
  )

const PURCHASE_MESSAGE = 'Lượng đang được chuyển vào game, vui lòng chờ trong giây lát'
const renderDialog = (client: QueryClient) =>
  renderHtml(
    client,
    <PurchaseMessage
      announcement={{
        kind: 'success',
        lines: [PURCHASE_MESSAGE],
        live: { kind: 'purchase', receipt: bought },
      }}
    />,
  )
const renderReceipt = (client: QueryClient) => renderHtml(client, <Receipt id={bought.id} />)

const stepsIn = (html: string) => /<ol class="moment-steps">.*?<\/ol>/s.exec(html)?.[0]
const LOST = 'Mất kết nối với máy chủ'

/** Words of one state alone, at the dialog and at the receipt. */
const words: Record<Event, { dialog: string; receipt: string }> = {
  sending: { dialog: PURCHASE_MESSAGE, receipt: 'Thường chỉ mất vài giây' },
  staff: { dialog: 'Bạn không cần mua lại.', receipt: 'Bạn không cần mua lại.' },
  sent: { dialog: 'đang vào nhân vật', receipt: 'đang vào nhân vật' },
  waits: { dialog: 'Hành trang đầy', receipt: 'Hành trang đầy' },
  done: { dialog: 'Món đã vào game.', receipt: 'Món đã vào game.' },
  collected: { dialog: 'Món đã vào nhân vật.', receipt: 'Món đã vào nhân vật.' },
  refunded: { dialog: 'đủ số đã trả', receipt: 'đủ số đã trả' },
}

function expectState(html: string, place: 'dialog' | 'receipt', state: Event): void {
  const shown = events.filter((event) => html.includes(words[event][place]))
  expect(shown).toEqual([state])
}

describe('the live dialog and the receipt', () => {
  test('show the same after every order of answers, and what is over stays over', () => {
    for (const order of orders) {
      const client = browserAfter(order)
      const [dialog, receipt] = [renderDialog(client), renderReceipt(client)]
      const end = endOf(order)
      expectState(dialog, 'dialog', end)
      expectState(receipt, 'receipt', end)
      expect(stepsIn(dialog), order.join()).toBeDefined()
      expect(stepsIn(dialog)).toBe(stepsIn(receipt))
    }
  })

  test('show that the connection is lost, and the last known state, at both places', () => {
    for (const order of orders) {
      const client = browserAfter(order, new CallError(503, null))
      const [dialog, receipt] = [renderDialog(client), renderReceipt(client)]
      for (const html of [dialog, receipt]) expect(html).toContain(LOST)
      expectState(dialog, 'dialog', endOf(order))
      expectState(receipt, 'receipt', endOf(order))
      expect(stepsIn(dialog)).toBe(stepsIn(receipt))
    }
  })

  test('need no answer: the dialog begins with what was bought', () => {
    const dialog = renderDialog(browserAfter([]))
    expectState(dialog, 'dialog', 'sending')
    expect(dialog).not.toContain(LOST)
  })
})

test.each<[Event, string, string | null, string[]]>([
  ['sending', 'sending', null, ['Đã trừ:done', 'Đang gửi:now', 'Đã vào game:later']],
  ['staff', 'staff', null, ['Đã trừ:done', 'Đội vận hành kiểm tra:now', 'Đã vào game:later']],
  ['done', 'done', 'Đã vào game', ['Đã trừ:done', 'Đã gửi:done', 'Đã vào game:done']],
  ['sent', 'sent', null, ['Đã trừ:done', 'Đã gửi vào game:done', 'Đã vào nhân vật:now']],
  ['waits', 'sent', null, ['Đã trừ:done', 'Đã gửi vào game:done', 'Đã vào nhân vật:now']],
  ['collected', 'done', 'Đã vào nhân vật', ['Đã trừ:done', 'Đã gửi vào game:done', 'Đã vào nhân vật:done']],
  ['refunded', 'refunded', null, ['Đã trừ:done', 'Game không nhận:failed', 'TCoin đã về ví:done']],
])('a purchase that is %s has these steps', (event, phase, stamp, steps) => {
  const progress = deliveryProgress(answers[event])
  expect(progress).toMatchObject({ phase, stamp })
  expect(progress.steps.map(({ name, state }) => `${name}:${state}`)).toEqual(steps)
})

test('the answer about another purchase replaces one that is over', () => {
  const other = { ...bought, id: 'another' }
  expect(newerReceipt(answers.done, other)).toBe(other)
  expect(newerReceipt(undefined, bought)).toBe(bought)
})
