import type { Page } from '@playwright/test'
import type { Delivery } from '#contract/deliveries.ts'
import { rechargeStates } from './recharge-states.ts'
import { answering, changing, silence, statesAt, type PageState } from './page-state.ts'
import { delivered, delivery, receiptStates } from './receipt-states.ts'

const refusal = {
  code: 'VALIDATION',
  message: 'Thông tin chưa hợp lệ, vui lòng kiểm tra lại',
  requestId: 'thu-1',
}

/** The amounts are shown before the player's characters. */
const firstCharacter = (page: Page) =>
  page
    .getByRole('group', { name: /^Nhân vật/ })
    .getByRole('radio')
    .first()

async function chooseExchange(page: Page): Promise<void> {
  await firstCharacter(page).check()
  await page.getByRole('radio', { name: /10,000/ }).check()
}

async function openExchangeConfirmation(page: Page): Promise<void> {
  await chooseExchange(page)
  await page.getByRole('button', { name: 'Đổi lượng' }).click()
}

export async function sendExchange(page: Page): Promise<void> {
  await openExchangeConfirmation(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Đổi lượng' }).click()
}

const exchangePage = { route: '/exchange', player: 'hoangtuan' } as const

const exchange: PageState[] = [
  ...statesAt(exchangePage)({
    exchange: { prepare: chooseExchange, sees: '3,300 lượng' },
    'exchange-nothing-chosen': { sees: 'Vui lòng chọn nhân vật và mệnh giá' },
  }),
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
  ...statesAt({ ...exchangePage, player: 'minhchau' })({
    'exchange-missing-coins': { prepare: chooseExchange, sees: 'Bạn còn thiếu: 5,000' },
    'exchange-banned': {
      player: 'ducmanh99',
      prepare: chooseExchange,
      sees: 'Tài khoản đang bị khóa giao dịch',
    },
    'exchange-not-activated': { player: 'giabao2k', prepare: chooseExchange, sees: 'Kích hoạt ngay' },
  }),
  ...statesAt(exchangePage)({
    'exchange-confirm': { prepare: openExchangeConfirmation, sees: 'Xác nhận đổi lượng' },
    'exchange-deliveries': {
      arrange: delivered(
        delivery({}),
        delivery({ id: '2', status: 'delivered' }),
        delivery({ id: '3', status: 'refunded' }),
      ),
      sees: 'Lần đổi gần đây',
    },
    'exchange-price-changed': {
      arrange: answering('**/api/exchange/store', 422, {
        ...refusal,
        code: 'PRICE_CHANGED',
        offer: { amount: 10_000, receive: 330 },
      }),
      prepare: sendExchange,
      sees: 'trước đó 3,300 lượng',
    },
    'exchange-field-errors': {
      arrange: answering('**/api/exchange/store', 422, {
        ...refusal,
        errors: { character_id: ['Không tìm thấy nhân vật'], amount: ['Mệnh giá này không còn được mở'] },
      }),
      prepare: sendExchange,
      sees: 'Mệnh giá này không còn được mở',
    },
    'exchange-session-expired': {
      arrange: answering('**/api/exchange/store', 401, { ...refusal, code: 'UNAUTHENTICATED' }),
      prepare: sendExchange,
      sees: 'Phiên đăng nhập đã hết hạn, vui lòng đăng nhập lại',
    },
  }),
]

async function openGiftConfirmation(page: Page): Promise<void> {
  await firstCharacter(page).check()
  await page.getByRole('radio', { name: /Gói 99,999/ }).check()
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
  ...statesAt(giftPage)({
    gift: { sees: 'Gói 99,999' },
    'gift-confirm': { prepare: openGiftConfirmation, sees: 'Xác nhận mua quà tân thủ' },
    'gift-on-its-way': { arrange: giftTaken('pending'), sees: 'Đang chờ game xác nhận.' },
    'gift-taken': { arrange: giftTaken('delivered'), sees: 'Quà đã vào túi đồ của nhân vật.' },
    'gift-refunded': { arrange: giftTaken('refunded'), sees: 'Gói quà trước không vào được game' },
    'gift-failed': { arrange: silence, sees: 'Thử lại' },
  }),
]

export const purchaseStates: PageState[] = [...rechargeStates, ...exchange, ...gifts, ...receiptStates]
