import type { Page } from '@playwright/test'
import { CHANNEL_VIETCOMBANK } from '#contract/constants.ts'
import { type PromisedTerms, sentenceOf } from '#contract/promotion-rules.ts'
import {
  ORDER_STATUSES,
  type OrderPurchase,
  type RechargeChannel,
  type RechargeOrder,
} from '#contract/recharge.ts'
import { answering, changing, main, silence, statesAt, type PageState } from './page-state.ts'
import { pagination } from './receipt-states.ts'

/** Outcomes of an order of 50,000 VND: paid, unpaid, or paid with another amount. */
const credits: Record<Exclude<RechargeOrder['status'], 'pending'>, { credited: number; sees: string }> = {
  paid: { credited: 50_000, sees: 'Nạp TCoin thành công' },
  paid_under: { credited: 30_000, sees: 'Đã nhận ít hơn số tiền của đơn' },
  paid_over: { credited: 80_000, sees: 'Đã nhận nhiều hơn số tiền của đơn' },
  expired: { credited: 0, sees: 'Mã QR đã hết hạn' },
  cancelled: { credited: 0, sees: 'Đơn nạp đã hủy' },
  review: { credited: 0, sees: 'Đội vận hành đang kiểm tra khoản tiền' },
}

const someOrder: Omit<RechargeOrder, 'code' | 'status' | 'credited'> = {
  channel: CHANNEL_VIETCOMBANK,
  amount: 50_000,
  qr: '',
  qr_svg: '',
  bonus: null,
  purchase: null,
  bank_name: 'Vietcombank',
  account_number: '0011000000001',
  account_name: 'CONG TY TINH HOA NINJA',
  memo: 'TCX7K2QF9XAMM',
  created_at: '2026-11-20T08:00:00.000Z',
  expires_at: '2026-11-20T08:30:00.000Z',
}

/** The money behind an outcome. */
function paymentOf(status: RechargeOrder['status'], credited: number): RechargeOrder['payment'] {
  const isInReview = status === 'review'
  if (credited === 0 && !isInReview) return undefined
  return {
    amount: isInReview ? 50_000 : credited,
    bank_reference: '••••4821',
    arrived_at: '2026-11-20T08:12:00.000Z',
    credited_at: isInReview ? null : '2026-11-20T08:12:03.000Z',
  }
}

const weekend: PromisedTerms = {
  kind: 'percent',
  percent: 20,
  amount: null,
  steps: null,
  minimum: 50_000,
  cap_per_player: 100_000,
  is_first_recharge: false,
  ends_at: '2026-12-07T17:00:00.000Z',
}
const shownPromotion = {
  title: 'Thưởng nạp cuối tuần',
  sentence: sentenceOf(weekend, null),
  ends_at: weekend.ends_at,
}

const promoted = changing<RechargeChannel[]>('**/api/recharge/channels', (channels) =>
  channels.map((channel) => ({
    ...channel,
    promotion: shownPromotion,
    promotions: [{ ...shownPromotion, terms: weekend, rest: { player: 100_000, total: 5_000_000 } }],
  })),
)

/** An order with what a promotion adds to it. */
const withBonus = (change: Partial<RechargeOrder>) =>
  changing<RechargeOrder>(/\/api\/recharge\/orders\/\w+$/, (order) => ({
    ...order,
    bonus: {
      title: shownPromotion.title,
      amount: 10_000,
      is_given: change.status === 'paid',
      condition: null,
    },
    ...change,
  }))

const threeOpen = answering(/\/api\/recharge\/orders\?/, 200, {
  data: [2, 3, 4].map((end) => ({
    ...someOrder,
    code: `TCX7K2QF9XAM${end}`,
    status: 'pending',
    credited: 0,
  })),
  payload: { pagination: { ...pagination, total: 3 } },
})

const ORDER_EVENTS = /\/api\/recharge\/orders\/\w+\/events$/
const orderPage = { route: '/recharge/:code', player: 'hoangtuan' } as const

const atMomo =
  (change: Partial<RechargeOrder> = {}) =>
  async (page: Page) => {
    // The event stream would show the order's real state.
    await page.route(ORDER_EVENTS, (route) => route.abort())
    await changing<RechargeOrder>(/\/api\/recharge\/orders\/\w+$/, (order) => ({
      ...order,
      channel: 1,
      bank_name: 'MoMo',
      account_number: 'MOMOTESTS',
      pay_url: 'https://test-payment.momo.vn/v2/gateway/pay?t=thu',
      ...change,
    }))(page)
  }

const settledOrders = ORDER_STATUSES.flatMap((status): PageState[] => {
  if (status === 'pending') return []
  const { credited, sees } = credits[status]
  return [
    {
      ...orderPage,
      name: `order-${status.replace('_', '-')}`,
      arrange: changing<RechargeOrder>(/\/api\/recharge\/orders\/\w+$/, (order) => ({
        ...order,
        status,
        credited,
        payment: paymentOf(status, credited),
      })),
      sees,
    },
  ]
})

const purchase = {
  kind: 'exchange',
  state: 'waiting',
  character_id: '1',
  character_name: 'HoangTuan',
  receive: 16_500,
  amount: 50_000,
  delivery: null,
} as const

/** An order that buys luong. */
const buying = (now: Partial<OrderPurchase>, isPaid = true) =>
  changing<RechargeOrder>(/\/api\/recharge\/orders\/\w+$/, (order) => ({
    ...order,
    purchase: { ...purchase, ...now },
    ...(isPaid && {
      status: 'paid',
      credited: 50_000,
      payment: paymentOf('paid', 50_000),
    }),
  }))

export const rechargeStates: PageState[] = [
  ...statesAt({ route: '/recharge', player: 'quochung' })({
    recharge: { sees: 'Bạn chưa có đơn nạp nào.' },
    'recharge-promotion': { arrange: promoted, sees: shownPromotion.title },
    'recharge-errors': {
      prepare: (page) => page.getByRole('button', { name: 'Tạo mã QR' }).click(),
      sees: 'Vui lòng chọn kênh nạp',
    },
    'recharge-orders': {
      player: 'hoangtuan',
      arrange: answering(/\/api\/recharge\/orders\?/, 200, {
        data: ORDER_STATUSES.map((status, index) => ({
          ...someOrder,
          code: `TCX7K2QF9XAM${index}`,
          status,
          credited: status === 'pending' ? 0 : credits[status].credited,
        })),
        payload: { pagination: { ...pagination, total: 41, last_page: 3 } },
      }),
      sees: 'Đang kiểm tra',
    },
  }),
  { name: 'sandbox', route: '/sandbox', player: 'hoangtuan', arrange: threeOpen, sees: 'Chuyển khoản thử' },
  ...statesAt({ route: '/recharge', player: 'hoangtuan' })({
    'recharge-three-open': { arrange: threeOpen, sees: 'Bạn đang có 3 đơn nạp chờ thanh toán' },
    'recharge-no-channels': {
      arrange: answering('**/api/recharge/channels', 200, []),
      sees: 'Hiện chưa có kênh nạp nào được mở.',
    },
    'recharge-banned': { player: 'ducmanh99', sees: 'Bạn nạp được TCoin sau khi hết thời gian khóa.' },
    'recharge-failed': { arrange: silence, sees: 'Thử lại' },
  }),
  ...statesAt(orderPage)({
    order: {
      arrange: async (page) => {
        await page.route(ORDER_EVENTS, (route) => route.abort())
        await changing<RechargeOrder>(/\/api\/recharge\/orders\/\w+$/, (order) => ({
          ...order,
          usual_seconds: 8,
        }))(page)
      },
      sees: 'Nội dung chuyển khoản',
    },
    'order-credited': {
      arrange: async (page) => {
        await changing<RechargeOrder>(/\/api\/recharge\/orders\/\w+$/, (order) => {
          const { credited } = credits.paid
          const paid = { ...order, status: 'paid', credited, payment: paymentOf('paid', credited) }
          void page.unroute(ORDER_EVENTS)
          void page.route(ORDER_EVENTS, (route) =>
            route.fulfill({
              contentType: 'text/event-stream',
              body: `data: ${JSON.stringify(paid)}\n\n`,
            }),
          )
          return { ...order, usual_seconds: 8 }
        })(page)
      },
      sees: 'Tiền đã đến đủ',
    },
    'order-buys': {
      arrange: async (page) => {
        await page.route(ORDER_EVENTS, (route) => route.abort())
        await buying({}, false)(page)
      },
      sees: 'tự đổi thành 16,500 lượng',
    },
    'order-buying': {
      arrange: async (page) => {
        await page.route(ORDER_EVENTS, (route) => route.abort())
        await buying({})(page)
      },
      sees: 'Lượng vào nhân vật',
    },
    'order-not-bought': {
      arrange: buying({ state: 'not-bought', reason: 'price-changed' }),
      sees: 'Giá đổi lượng đã thay đổi',
    },
    'order-bonus': {
      arrange: async (page) => {
        await page.route(ORDER_EVENTS, (route) => route.abort())
        await withBonus({})(page)
      },
      sees: shownPromotion.title,
    },
    'order-bonus-given': {
      arrange: withBonus({
        status: 'paid',
        credited: credits.paid.credited,
        payment: paymentOf('paid', credits.paid.credited),
      }),
      sees: shownPromotion.title,
    },
    'order-momo': { arrange: atMomo(), sees: 'Mở ứng dụng MoMo' },
    'order-momo-over': {
      arrange: atMomo({ expires_at: '2026-11-20T08:30:00.000Z' }),
      sees: 'Mã QR đã hết hạn',
    },
    'order-cancel': {
      prepare: (page) => main(page).getByRole('button', { name: 'Hủy đơn' }).click(),
      sees: 'Hủy đơn nạp này?',
    },
  }),
  ...settledOrders,
  ...statesAt(orderPage)({
    'order-failed': { arrange: silence, sees: 'Thử lại' },
    'order-unknown': { path: '/recharge/TCXKHONGCODON', sees: 'Trang bạn đang tìm không tồn tại' },
  }),
]
