import type { Page } from '@playwright/test'
import type { Delivery, DeliveryReceipt } from '#contract/deliveries.ts'
import { GIFT_PACKAGES } from '#contract/gift-packages.ts'
import { answering, silence, statesAt, type PageState } from './page-state.ts'

export const pagination = { page: 1, items_per_page: 20, total: 1, last_page: 1 }

export const delivery = (change: Partial<Delivery>): Delivery => ({
  id: '1',
  kind: 'exchange',
  character_name: 'phitieuvang',
  goods: [{ kind: 'luong', quantity: 165_000 }],
  amount: 500_000,
  status: 'pending',
  created_at: '2026-11-20T08:25:00.000Z',
  settled_at: null,
  is_collection_told: false,
  collected_at: null,
  waiting: null,
  replaces: null,
  ...change,
})

export const delivered = (...data: Delivery[]) =>
  answering(/\/api\/user\/deliveries/, 200, { data, payload: { pagination } })

const deliveriesPage = {
  route: '/user/deliveries/:id?',
  path: '/user/deliveries',
  player: 'hoangtuan',
} as const
const receiptId = '0198f5a2-6d7b-7c3e-9a51-3f2b8d90c4e1'
const receiptPage = { ...deliveriesPage, path: `/user/deliveries/${receiptId}` } as const
const itemNames: Record<string, string> = { pet: 'thú cưng', companion: 'bạn đồng hành' }
const giftGoods =
  GIFT_PACKAGES.at(-1)?.items.map(({ good }) => {
    const name = itemNames[good.code ?? '']
    return name === undefined ? good : { ...good, name }
  }) ?? []

const receiptOf = (change: Partial<DeliveryReceipt>) =>
  answering(/\/api\/user\/deliveries\//, 200, {
    ...delivery({ id: receiptId }),
    server_name: 'Tinh Hoa 1',
    character_head: 5,
    character_head_name: null,
    is_with_staff: false,
    refund_reason: null,
    ...change,
  })

/** An exchange that is answered without being made, and its receipt in some state. */
const bought = (change: Partial<DeliveryReceipt>) => async (page: Page) => {
  await answering('**/api/exchange/store', 200, {
    balance: 620_000,
    delivery: { id: receiptId, status: 'pending' },
    report: true,
  })(page)
  await receiptOf({ goods: [{ kind: 'luong', quantity: 3_300 }], amount: 10_000, ...change })(page)
}

async function sendExchange(page: Page): Promise<void> {
  await page
    .getByRole('group', { name: /^Nhân vật/ })
    .getByRole('radio')
    .first()
    .check()
  await page.getByRole('radio', { name: /10,000/ }).check()
  await page.getByRole('button', { name: 'Đổi lượng' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Đổi lượng' }).click()
}

const settled_at = '2026-11-20T08:25:02.000Z'
const momentPage = { route: '/exchange', player: 'hoangtuan', prepare: sendExchange } as const

/** The live dialog in each state of what was bought. */
const moments: PageState[] = [
  ...statesAt(momentPage)({
    'exchange-done': { arrange: bought({}), sees: 'Thực hiện thành công' },
    'exchange-arrived': { arrange: bought({ status: 'delivered', settled_at }), sees: 'Món đã vào game.' },
    'exchange-with-staff': { arrange: bought({ is_with_staff: true }), sees: 'Bạn không cần mua lại.' },
    'exchange-refunded': {
      arrange: bought({
        status: 'refunded',
        settled_at,
        refund_reason: 'Nhân vật không còn trong game.',
      }),
      sees: 'Nhân vật không còn trong game.',
    },
    'exchange-connection-lost': {
      arrange: async (page) => {
        await bought({})(page)
        await answering(/\/api\/user\/deliveries\//, 503, {})(page)
      },
      sees: 'Mất kết nối với máy chủ',
    },
  }),
]

export const receiptStates: PageState[] = [
  ...moments,
  ...statesAt(deliveriesPage)({
    deliveries: {
      arrange: delivered(
        delivery({}),
        delivery({ id: '2', kind: 'gift', goods: giftGoods, amount: 99_999, status: 'delivered' }),
        delivery({ id: '3', status: 'refunded', character_name: 'mottennhanvatratdai' }),
        delivery({ id: '4', status: 'delivered', is_collection_told: true, waiting: 'offline' }),
        delivery({ id: '5', kind: 'again', replaces: '4', amount: 0 }),
        delivery({ id: '6', kind: 'again', replaces: '4', amount: 0, status: 'refunded' }),
        delivery({ id: '7', kind: 'reward', goods: giftGoods, amount: 0, status: 'delivered' }),
        delivery({ id: '8', kind: 'reward', amount: 0, status: 'refunded' }),
      ),
      sees: 'Quà tân thủ: 35,000 lượng',
    },
    'deliveries-none': { arrange: delivered(), sees: 'Bạn chưa mua món nào.' },
    'deliveries-failed': { arrange: silence, sees: 'Thử lại' },
  }),
  ...statesAt(receiptPage)({
    'receipt-with-staff': {
      arrange: receiptOf({ is_with_staff: true }),
      sees: 'Đang giao, chờ đội vận hành kiểm tra',
    },
    'receipt-given-again': {
      arrange: receiptOf({ kind: 'again', replaces: '0198f5a2-6d7b-7c3e-9a51-3f2b8d90c4e2', amount: 0 }),
      sees: 'Đang giao lại',
    },
    'receipt-not-given-again': {
      arrange: receiptOf({
        kind: 'again',
        replaces: '0198f5a2-6d7b-7c3e-9a51-3f2b8d90c4e2',
        amount: 0,
        status: 'refunded',
        settled_at: '2026-11-20T08:25:02.000Z',
      }),
      sees: 'Không giao lại',
    },
    'receipt-reward': {
      arrange: receiptOf({ kind: 'reward', goods: giftGoods, amount: 0 }),
      sees: 'Quà được tặng',
    },
    'receipt-reward-refused': {
      arrange: receiptOf({
        kind: 'reward',
        amount: 0,
        status: 'refunded',
        settled_at: '2026-11-20T08:25:02.000Z',
      }),
      sees: 'Chưa nhận được quà',
    },
    'receipt-delivered': {
      arrange: receiptOf({
        kind: 'gift',
        goods: giftGoods,
        amount: 99_999,
        status: 'delivered',
        settled_at: '2026-11-20T08:25:02.000Z',
      }),
      sees: 'Món đã vào game.',
    },
    'receipt-waiting': {
      arrange: receiptOf({
        status: 'delivered',
        settled_at: '2026-11-20T08:25:02.000Z',
        is_collection_told: true,
        waiting: 'bag-full',
      }),
      sees: 'Hành trang đầy',
    },
    'receipt-collected': {
      arrange: receiptOf({
        status: 'delivered',
        settled_at: '2026-11-20T08:25:02.000Z',
        is_collection_told: true,
        collected_at: '2026-11-20T08:25:09.000Z',
      }),
      sees: 'Món đã vào nhân vật.',
    },
    'receipt-refunded': {
      arrange: receiptOf({
        status: 'refunded',
        settled_at: '2026-11-20T08:25:02.000Z',
        refund_reason: 'Nhân vật không còn trong game.',
      }),
      sees: 'Đổi lượng lại',
    },
  }),
]
