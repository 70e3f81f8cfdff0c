import type { Locator, Page } from '@playwright/test'
import { demoLogin } from '#seeds/players.ts'
import { inHistory } from './dialogs.ts'
import {
  expect,
  loginByCall,
  readQr,
  registerPlayer,
  registerTrader,
  signIn,
  test,
  order,
} from './fixtures.ts'

test.use({ viewport: { width: 360, height: 640 } })

/** What a player does by hand, counted. */
class Hand {
  taps = 0

  async tap(target: Locator): Promise<void> {
    this.taps += 1
    await target.click()
  }
}

const codeIn = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? ''

async function orderByHand(page: Page, hand: Hand): Promise<void> {
  await hand.tap(page.getByRole('button', { name: '50,000', exact: true }))
  const channel = page.getByRole('radio', { name: /Vietcombank/ })
  // The one that was used last is chosen.
  if (!(await channel.isChecked())) await hand.tap(channel)
  await hand.tap(page.getByRole('button', { name: 'Tạo mã QR' }))
  await page.waitForURL(/\/recharge\/[A-Z0-9]+$/)
}

test('a recharge takes four taps to the saved code, three the next time', async ({ page, request }) => {
  const { token } = await registerPlayer(request)
  await signIn(page, token)
  for (const taps of [4, 3]) {
    const hand = new Hand()
    await page.goto('/recharge')
    await expect(page.getByRole('group', { name: 'Kênh nạp' })).toBeVisible()
    if (taps === 4) await expect(page.getByRole('button', { name: 'Tạo mã QR' })).toBeInViewport({ ratio: 1 })
    await orderByHand(page, hand)
    const saving = page.waitForEvent('download')
    await hand.tap(page.getByRole('button', { name: 'Lưu mã QR' }))
    expect((await saving).suggestedFilename()).toBe(`nap-tcoin-${codeIn(page)}.png`)
    expect(hand.taps).toBe(taps)
  }
})

test('an order fits the first screen of a small phone', async ({ page, request }) => {
  // As in a browser that hands pictures to other applications.
  await page.addInitScript(() => {
    const shared: string[] = []
    Object.assign(navigator, {
      canShare: () => true,
      share: async ({ files = [] }: ShareData) => void shared.push(...files.map(({ name }) => name)),
    })
    Object.assign(window, { shared })
  })
  const { token } = await registerPlayer(request)
  await signIn(page, token)
  await page.goto('/recharge')
  await orderByHand(page, new Hand())
  const code = codeIn(page)
  await page.goto(`/recharge/${code}`)
  const picture = page.getByRole('img', { name: new RegExp(code) })
  const share = page.getByRole('button', { name: 'Chia sẻ' })
  const onFirstScreen = [
    page.getByRole('main').getByText('50,000 VND').first(),
    page.getByRole('timer'),
    picture,
    page.getByRole('button', { name: 'Lưu mã QR' }),
    share,
    page.getByRole('link', { name: '← Nạp TCoin' }),
  ]
  for (const part of onFirstScreen) await expect(part).toBeInViewport({ ratio: 1 })
  expect(readQr(await picture.screenshot())).toContain(code)
  const width = (await picture.boundingBox())?.width ?? 0
  // How to pay with this phone stands above it.
  expect(width).toBeGreaterThanOrEqual(260)
  for (const button of [page.getByRole('button', { name: 'Lưu mã QR' }), share]) {
    const box = await button.boundingBox()
    expect(box?.width).toBeGreaterThanOrEqual(140)
    expect(box?.height).toBeGreaterThanOrEqual(44)
  }
  await share.click()
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { shared: string[] }).shared))
    .toEqual([`nap-tcoin-${code}.png`])

  // Nothing leads away from it but the way back and the ways to help.
  await expect(page.getByRole('navigation', { name: 'Chính' })).toHaveCount(0)
  await expect(page.getByRole('banner')).toHaveCount(0)
  await expect(page.getByText('Tài khoản chưa kích hoạt')).toHaveCount(0)
  await expect(page.getByRole('listitem').filter({ hasText: /^[123]\./ })).toHaveCount(3)
  await expect(page.getByRole('link', { name: 'Tôi đã chuyển nhưng chưa được cộng' })).toHaveAttribute(
    'href',
    `/recharge/claim?order=${code}`,
  )
})

test('a pending order is above the form, with its time and the way to pay it', async ({ page, request }) => {
  const { token } = await registerPlayer(request)
  const { code } = await order(request, token, { amount: 20_000 })
  await signIn(page, token)
  await page.goto('/recharge')
  const waiting = page.getByRole('region', { name: 'Đang chờ bạn thanh toán' })
  await expect(waiting).toContainText(/20,000 VND[\s\S]*\d\d:\d\d/)
  const way = waiting.getByRole('link', { name: `Tiếp tục thanh toán ${code}` })
  expect((await way.boundingBox())!.y).toBeLessThan(
    (await page.getByRole('group', { name: 'Kênh nạp' }).boundingBox())!.y,
  )
  await way.click()
  await expect(page).toHaveURL(`/recharge/${code}`)
})

const groupOf = (page: Page) => page.getByRole('group', { name: /^Nhân vật nhận/ })

async function choose(page: Page, hand: Hand, option: RegExp): Promise<void> {
  const characters = groupOf(page).getByRole('radio')
  await expect(characters.first()).toBeVisible()
  if ((await groupOf(page).locator('input:checked').count()) === 0) await hand.tap(characters.first())
  await hand.tap(page.getByRole('radio', { name: option }))
}

for (const { path, option, act } of [
  { path: '/exchange', option: /10,000/, act: 'Đổi lượng' },
  { path: '/gift', option: /Gói 9,999/, act: 'Mua gói quà' },
]) {
  const tag = path === '/gift' ? '@long' : []
  test(`${path} takes at most four taps within reach of the thumb`, { tag }, async ({ page, request }) => {
    const { token } = await registerTrader(request, 50_000)
    await signIn(page, token)
    await page.goto(path)
    const hand = new Hand()
    await choose(page, hand, option)
    const button = page.getByRole('main').getByRole('button', { name: act })
    await expect(button).toBeInViewport({ ratio: 1 })
    await hand.tap(button)
    await hand.tap(page.getByRole('alertdialog').getByRole('button', { name: act }))
    const done = page.getByRole('alertdialog', { name: 'Thành công' })
    await expect(done).toContainText(/Đã trừ[\s\S]*Đã gửi[\s\S]*Đã vào game/, { timeout: 30_000 })
    expect(hand.taps).toBeLessThanOrEqual(4)
  })
}

test('the character that something was bought for is chosen the next time', async ({ page, request }) => {
  const { token } = await registerTrader(request, 50_000)
  await signIn(page, token)
  await page.goto('/exchange')
  const last = groupOf(page).getByRole('radio').last()
  await last.check()
  const id = await last.inputValue()
  await page.getByRole('radio', { name: /10,000/ }).check()
  await page.getByRole('main').getByRole('button', { name: 'Đổi lượng' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Đổi lượng' }).click()
  await page
    .getByRole('alertdialog', { name: 'Thành công' })
    .getByRole('button', { name: 'Xác nhận' })
    .click()
  // The closed dialog takes its entry out of the history, which would abort the navigation.
  await inHistory(page, 0)
  await page.goto('/gift')
  await expect(groupOf(page).locator('input:checked')).toHaveValue(id)
})

test('what the balance does not cover is dimmed and can be recharged', async ({ page, request }) => {
  const { token } = await registerTrader(request, 15_000)
  await signIn(page, token)
  await page.goto('/exchange')
  await groupOf(page).getByRole('radio').first().check()
  const beyond = page.locator('label.is-beyond')
  await expect(beyond.filter({ hasText: '20,000' })).toHaveCount(1)
  await expect(beyond.filter({ hasText: /\b10,000/ })).toHaveCount(0)
  await page.getByRole('radio', { name: /50,000/ }).check()
  const reason = page.getByText('Bạn còn thiếu: 35,000, vui lòng nạp thêm tiền')
  await expect(reason).toBeVisible()
  await expect(reason.locator('img')).toHaveAttribute('src', '/images/tcoin.svg')
  await page
    .getByRole('main')
    .getByRole('link', { name: /Nạp TCoin/ })
    .click()
  await expect(page).toHaveURL('/recharge?amount=35000')
  await expect(page.getByLabel('Số tiền (VND)')).toHaveValue('35,000')
})

test(
  'an order that does not load still has the way back',
  { tag: '@long' },
  async ({ page, newcomer, consoleErrors }) => {
    consoleErrors.expect(/status of (404|503)/)
    await signIn(page, newcomer.token)
    await page.goto('/recharge/TCXKHONGCODON')
    await expect(page.getByRole('heading', { name: 'Trang bạn đang tìm không tồn tại' })).toBeVisible()
    await expect(page.getByText('Tài khoản của bạn không có gì mang mã này.')).toBeVisible()
    await expect(page.getByRole('link', { name: '← Nạp TCoin' })).toBeInViewport()
    await page.route('**/api/recharge/orders/*', (route) => route.fulfill({ status: 503, json: {} }))
    await page.goto('/recharge/TCXKHONGCODON')
    await expect(page.getByRole('button', { name: 'Thử lại' })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Đơn nạp TCXKHONGCODON')
    await page.getByRole('link', { name: '← Nạp TCoin' }).click()
    await expect(page).toHaveURL('/recharge')
  },
)

test(
  'the names of characters are whole, on their cards and under the stamp',
  { tag: '@long' },
  async ({ page, request }) => {
    await signIn(page, await loginByCall(request, demoLogin))
    await page.goto('/exchange')
    await expect(groupOf(page).getByText('phitieuvang')).toBeVisible()
    const cut = (names: Locator) =>
      names.evaluateAll((all) =>
        all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
      )
    expect(await cut(groupOf(page).locator('strong'))).toEqual([])
    const at = '2026-11-20T08:25:00.000Z'
    await page.route('**/api/exchange/store', (route) =>
      route.fulfill({
        json: { balance: 1, delivery: { id: 'mot', status: 'pending' }, message: '', report: true },
      }),
    )
    await page.route('**/api/user/deliveries/mot', (route) =>
      route.fulfill({
        json: {
          id: 'mot',
          kind: 'exchange',
          character_name: 'phitieuvang',
          character_head: 5,
          character_head_name: null,
          goods: [{ kind: 'luong', quantity: 165_000 }],
          amount: 500_000,
          status: 'delivered',
          created_at: at,
          settled_at: at,
          server_name: 'Trúc Lâm',
          is_with_staff: false,
          refund_reason: null,
        },
      }),
    )
    await groupOf(page).getByRole('radio').first().check()
    await page.getByRole('radio', { name: /10,000/ }).check()
    await page.getByRole('main').getByRole('button', { name: 'Đổi lượng' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Đổi lượng' }).click()
    const name = page.getByRole('alertdialog', { name: 'Thành công' }).getByText('phitieuvang')
    await expect(name).toBeVisible()
    expect(await cut(name)).toEqual([])
    const { lines, isClear } = await name.evaluate((one: HTMLElement) => {
      // Where the stamp lies without its turn.
      const stamp = document.querySelector<HTMLElement>('.moment-stamp')!
      const words = document.createRange()
      words.selectNodeContents(one)
      return {
        lines: words.getClientRects().length,
        isClear:
          one.offsetTop >= stamp.offsetTop + stamp.offsetHeight ||
          one.offsetLeft + one.offsetWidth <= stamp.offsetLeft,
      }
    })
    expect({ lines, isClear }).toEqual({ lines: 1, isClear: true })
  },
)
