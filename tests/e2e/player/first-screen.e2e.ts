import { everyNth } from '#tests/support/test-run.ts'
import type { Locator, Page } from '@playwright/test'
import type { User } from '#contract/users.ts'
import type { RechargeChannel, RechargeOrder } from '#contract/recharge.ts'
import { stateOf } from '#tests/support/page-states/all-states.ts'
import { changing, openState, type PageState } from '#tests/support/page-states/page-state.ts'
import { expect, test } from './fixtures.ts'

// Any worker may take the next of these.
test.describe.configure({ mode: 'parallel' })

/** A player who is not activated sees one more bar; names and figures are as long as they get. */
const longest = changing<User>('**/api/auth/verify', (user) => ({
  ...user,
  username: 'tranquochuynh1998200',
  balance: 1_234_567_890,
  activated: false,
}))

const longChannels = changing<RechargeChannel[]>('**/api/recharge/channels', (channels) =>
  channels.map((channel) => ({
    ...channel,
    account_name: 'CONG TY CO PHAN CONG NGHE VA GIAI TRI TINH HOA NINJA VIET NAM',
    max: 499_999_999,
  })),
)

/** Two orders of the highest amount wait for their money. */
const twoOpen = changing<{ data: RechargeOrder[] }>(/\/api\/recharge\/orders\?/, (list) => ({
  ...list,
  data: [1, 2].map((end) => ({
    code: `TCX7K2QF9XAM${end}`,
    channel: 2,
    amount: 50_000_000,
    credited: 0,
    status: 'pending',
    qr: '',
    qr_svg: '',
    bank_name: 'Vietcombank',
    account_number: '0011000000001',
    account_name: 'CONG TY TINH HOA NINJA',
    memo: `TCX7K2QF9XAM${end}`,
    created_at: new Date().toISOString(),
    expires_at: new Date(Date.now() + 29 * 60_000).toISOString(),
  })),
}))

async function arrangeRecharge(page: Page): Promise<void> {
  for (const arrange of [longest, longChannels, twoOpen]) await arrange(page)
}

type Case = { state: PageState; sees: (page: Page) => Locator[] }

const button = (name: string) => (page: Page) =>
  page.getByRole('main').getByRole('button', { name, exact: true })
const cards = (name: RegExp) => (page: Page) => page.getByRole('group', { name }).locator('label')

const cases: Case[] = [
  {
    state: {
      name: 'recharge',
      route: '/recharge',
      player: 'hoangtuan',
      arrange: arrangeRecharge,
      sees: 'Tạo mã QR',
    },
    sees: (page) => [
      page.getByRole('link', { name: /^50,000,000 VND/ }).first(),
      page.getByRole('link', { name: /^50,000,000 VND/ }).last(),
      ...[0, 1, 2].map((index) => cards(/^Kênh nạp/)(page).nth(index)),
      ...['10,000', '500,000'].map((name) => button(name)(page)),
      page.getByText('1 VND = 1 TCoin · đổi lượng +10%'),
      button('Tạo mã QR')(page),
    ],
  },
  {
    state: { ...stateOf('exchange-nothing-chosen'), arrange: longest, sees: 'Mệnh giá' },
    sees: (page) => [
      cards(/^Nhân vật/)(page).first(),
      page.getByText('Khuyến mãi +10% lượng'),
      button('Đổi lượng')(page),
    ],
  },
  {
    state: { ...stateOf('exchange-not-activated'), prepare: async () => {}, sees: 'Mệnh giá' },
    sees: (page) => [cards(/^Mệnh giá/)(page).first(), button('Đổi lượng')(page)],
  },
  {
    state: { ...stateOf('gift'), arrange: longest },
    sees: (page) => [
      cards(/^Nhân vật/)(page).first(),
      page.getByText('Gói 9,999'),
      button('Mua gói quà')(page),
    ],
  },
  {
    state: { ...stateOf('order'), name: 'order' },
    sees: (page) => [
      page.getByRole('timer'),
      page.getByRole('img', { name: /^Mã VietQR/ }),
      // Who sits at a desktop pays with a phone.
      ...(page.viewportSize()!.width < 1_000 ? [page.getByText('Chọn ảnh vừa lưu rồi xác nhận')] : []),
      page.getByText('napas 247'),
      button('Lưu mã QR')(page),
    ],
  },
]

/** Whole on the screen, and nothing that lies over the page covers its middle. */
async function expectOnScreen(shown: Locator): Promise<void> {
  await expect(shown).toBeInViewport({ ratio: 1 })
  const isOnTop = await shown.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const found = document.elementFromPoint(left + width / 2, top + height / 2)
    // The radio button of a card lies over what the card shows.
    const shown = found?.closest('label') ?? found
    return element.contains(shown) || (shown?.contains(element) ?? false)
  })
  expect(isOnTop, String(shown)).toBe(true)
}

for (const viewport of [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
]) {
  test.describe(`on ${viewport.width} × ${viewport.height}`, () => {
    test.use({ viewport, ...(viewport.width > 1000 && { hasTouch: false, isMobile: false }) })

    for (const { state, sees } of everyNth(cases, 2, viewport.width > 1000 ? 1 : 0)) {
      test(`the first screen shows the main act: ${state.name}`, async ({ page, callers, consoleErrors }) => {
        // The event stream of the order.
        consoleErrors.expect(/ERR_FAILED/)
        await openState(page, state, callers)
        await page.evaluate(() => document.fonts.ready)
        expect(await page.evaluate(() => scrollY)).toBe(0)
        for (const shown of sees(page)) await expectOnScreen(shown)
      })
    }
  })
}
