import type { Page } from '@playwright/test'
import { CHANNEL_VIETCOMBANK } from '#contract/constants.ts'
import type { Delivery } from '#contract/deliveries.ts'
import { ORDER_STATUSES, type RechargeOrder } from '#contract/recharge.ts'
import { answering, changing, main, silence, type PageState } from './page-state.ts'
import { delivered, delivery, pagination, receiptStates } from './receipt-states.ts'

const refusal = {
  code: 'VALIDATION',
  message: 'Thông tin chưa hợp lệ, vui lòng kiểm tra lại',
  requestId: 'thu-1',
}

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

const orderPage = { route: '/recharge/:code', player: 'hoangtuan' } as const

const atMomo =
  (change: Partial<RechargeOrder> = {}) =>
  async (page: Page) => {
    // The event stream would show the order's real state.
    await page.route(/\/api\/recharge\/orders\/\w+\/events$/, (route) => route.abort())
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

const recharge: PageState[] = [
  { name: 'recharge', route: '/recharge', player: 'quochung', sees: 'Bạn chưa có đơn nạp nào.' },
  {
    name: 'recharge-errors',
    route: '/recharge',
    player: 'quochung',
    prepare: (page) => page.getByRole('button', { name: 'Tạo mã QR' }).click(),
    sees: 'Vui lòng chọn kênh nạp',
  },
  {
    name: 'recharge-orders',
    route: '/recharge',
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
  {
    name: 'recharge-three-open',
    route: '/recharge',
    player: 'hoangtuan',
    arrange: answering(/\/api\/recharge\/orders\?/, 200, {
      data: [2, 3, 4].map((end) => ({
        ...someOrder,
        code: `TCX7K2QF9XAM${end}`,
        status: 'pending',
        credited: 0,
      })),
      payload: { pagination: { ...pagination, total: 3 } },
    }),
    sees: 'Bạn đang có 3 đơn nạp chờ thanh toán',
  },
  {
    name: 'recharge-no-channels',
    route: '/recharge',
    player: 'hoangtuan',
    arrange: answering('**/api/recharge/channels', 200, []),
    sees: 'Hiện chưa có kênh nạp nào được mở.',
  },
  {
    name: 'recharge-banned',
    route: '/recharge',
    player: 'ducmanh99',
    sees: 'Bạn nạp được TCoin sau khi hết thời gian khóa.',
  },
  { name: 'recharge-failed', route: '/recharge', player: 'hoangtuan', arrange: silence, sees: 'Thử lại' },
  { ...orderPage, name: 'order', sees: 'Nội dung chuyển khoản' },
  { ...orderPage, name: 'order-momo', arrange: atMomo(), sees: 'Mở ứng dụng MoMo' },
  {
    // Its time is up, and the server has not written it down yet.
    ...orderPage,
    name: 'order-momo-over',
    arrange: atMomo({ expires_at: '2026-11-20T08:30:00.000Z' }),
    sees: 'Mã QR đã hết hạn',
  },
  {
    ...orderPage,
    name: 'order-cancel',
    prepare: (page) => main(page).getByRole('button', { name: 'Hủy đơn' }).click(),
    sees: 'Hủy đơn nạp này?',
  },
  ...settledOrders,
  { ...orderPage, name: 'order-failed', arrange: silence, sees: 'Thử lại' },
  {
    ...orderPage,
    name: 'order-unknown',
    path: '/recharge/TCXKHONGCODON',
    sees: 'Trang bạn đang tìm không tồn tại',
  },
]

/** The amounts are shown before the player's characters. */
const firstCharacter = (page: Page) =>
  page
    .getByRole('group', { name: /^Nhân vật/ })
    .getByRole('radio')
    .first()

async function chooseExchange(page: Page): Promise<void> {
  await firstCharacter(page).check()
  await page.getByRole('radio', { name: /^10,000/ }).check()
}

async function askExchange(page: Page): Promise<void> {
  await chooseExchange(page)
  await page.getByRole('button', { name: 'Đổi lượng' }).click()
}

async function sendExchange(page: Page): Promise<void> {
  await askExchange(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Đổi lượng' }).click()
}

const exchangePage = { route: '/exchange', player: 'hoangtuan' } as const

const exchange: PageState[] = [
  { ...exchangePage, name: 'exchange', prepare: chooseExchange, sees: '3,300 lượng' },
  { ...exchangePage, name: 'exchange-nothing-chosen', sees: 'Vui lòng chọn nhân vật và mệnh giá' },
  {
    ...exchangePage,
    name: 'exchange-no-characters',
    player: 'quochung',
    sees: 'Tài khoản chưa có nhân vật nào',
  },
  {
    ...exchangePage,
    name: 'exchange-late-characters',
    arrange: changing('**/api/exchange', (known) => ({ ...known, characters: [], characters_at: null })),
    sees: 'Máy chủ game chưa trả lời',
  },
  {
    ...exchangePage,
    name: 'exchange-missing-coins',
    player: 'minhchau',
    prepare: chooseExchange,
    sees: 'Bạn còn thiếu: 5,000',
  },
  {
    ...exchangePage,
    name: 'exchange-banned',
    player: 'ducmanh99',
    prepare: chooseExchange,
    sees: 'Tài khoản đang bị khóa giao dịch',
  },
  {
    ...exchangePage,
    name: 'exchange-not-activated',
    player: 'giabao2k',
    prepare: chooseExchange,
    sees: 'Kích hoạt ngay',
  },
  { ...exchangePage, name: 'exchange-confirm', prepare: askExchange, sees: 'Xác nhận đổi lượng' },
  {
    ...exchangePage,
    name: 'exchange-deliveries',
    arrange: delivered(
      delivery({}),
      delivery({ id: '2', status: 'delivered' }),
      delivery({ id: '3', status: 'refunded' }),
    ),
    sees: 'Lần đổi gần đây',
  },
  {
    ...exchangePage,
    name: 'exchange-done',
    arrange: answering('**/api/exchange/store', 200, {
      balance: 620_000,
      delivery: { id: '1', status: 'pending' },
      report: true,
    }),
    prepare: sendExchange,
    sees: 'Thực hiện thành công',
  },
  {
    ...exchangePage,
    name: 'exchange-price-changed',
    arrange: answering('**/api/exchange/store', 422, {
      ...refusal,
      code: 'PRICE_CHANGED',
      offer: { amount: 10_000, receive: 330 },
    }),
    prepare: sendExchange,
    sees: 'trước đó 3,300 lượng',
  },
  {
    ...exchangePage,
    name: 'exchange-field-errors',
    arrange: answering('**/api/exchange/store', 422, {
      ...refusal,
      errors: { character_id: ['Không tìm thấy nhân vật'], amount: ['Mệnh giá này không còn được mở'] },
    }),
    prepare: sendExchange,
    sees: 'Mệnh giá này không còn được mở',
  },
  {
    ...exchangePage,
    name: 'exchange-session-expired',
    arrange: answering('**/api/exchange/store', 401, { ...refusal, code: 'UNAUTHENTICATED' }),
    prepare: sendExchange,
    sees: 'Phiên đăng nhập đã hết hạn, vui lòng đăng nhập lại',
  },
]

async function askGift(page: Page): Promise<void> {
  await firstCharacter(page).check()
  await page.getByRole('radio', { name: /^Gói 99,999/ }).check()
  await page.getByRole('button', { name: 'Mua gói quà' }).click()
}

const giftPage = { route: '/gift', player: 'ngocanh95' } as const
const gift = delivery({ kind: 'gift', goods: [], amount: 99_999, character_name: 'tenxanh' })

const giftTaken = (status: Delivery['status']) => async (page: Page) => {
  const first_gift = status === 'refunded' ? null : gift.amount
  await changing('**/api/auth/verify', (known) => ({ ...known, first_gift }))(page)
  await delivered({ ...gift, status })(page)
}

const gifts: PageState[] = [
  { ...giftPage, name: 'gift', sees: 'Gói 99,999' },
  { ...giftPage, name: 'gift-confirm', prepare: askGift, sees: 'Xác nhận mua quà tân thủ' },
  { ...giftPage, name: 'gift-on-its-way', arrange: giftTaken('pending'), sees: 'Đang chờ game xác nhận.' },
  {
    ...giftPage,
    name: 'gift-taken',
    arrange: giftTaken('delivered'),
    sees: 'Quà đã vào túi đồ của nhân vật.',
  },
  {
    ...giftPage,
    name: 'gift-refunded',
    arrange: giftTaken('refunded'),
    sees: 'Gói quà trước không vào được game',
  },
  { ...giftPage, name: 'gift-failed', arrange: silence, sees: 'Thử lại' },
]

export const purchaseStates: PageState[] = [...recharge, ...exchange, ...gifts, ...receiptStates]
