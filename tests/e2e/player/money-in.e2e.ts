import type { APIRequestContext, Page } from '@playwright/test'
import { REFETCH_INTERVAL_MS } from '#contract/constants.ts'
import { formatNumber } from '#contract/format.ts'
import {
  balanceLink,
  expect,
  registerPlayer,
  signIn,
  statementLines,
  test,
  whoIs,
  order,
  pay,
} from './fixtures.ts'
import { withDatabase } from './portal-database.ts'

type Caller = { request: APIRequestContext; token: string }

const headersOf = (token: string) => ({ authorization: `Bearer ${token}` })

/** Shorter than the ten seconds between two reads: what shows within it came by the stream. */
const LIVE_MS = 6_000
const NEXT_READ_MS = REFETCH_INTERVAL_MS + 5_000

const outcome = (page: Page, title: string) => page.getByRole('heading', { name: title })
const receipt = (page: Page) => page.getByRole('region', { name: 'Biên nhận' })

test('money that arrives short or late is credited', async ({ page, context, request, consoleErrors }) => {
  // One of the pages cannot stream.
  consoleErrors.expect(/ERR_FAILED/)
  const { token } = await registerPlayer(request)
  await signIn(page, token)

  await page.goto('/recharge')
  await page.getByRole('radio', { name: /ACB/ }).check()
  await page.getByRole('button', { name: '50,000', exact: true }).click()
  await page.getByRole('button', { name: 'Tạo mã QR' }).click()
  await page.waitForURL(/\/recharge\/[A-Z0-9]+$/)
  const code = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await expect(outcome(page, 'Đang chờ bạn chuyển khoản')).toBeVisible()
  await pay(request, token, { code: code, amount: 50_000 })
  await expect(outcome(page, 'Nạp TCoin thành công')).toBeVisible({ timeout: LIVE_MS })
  for (const text of ['Số tiền của đơn', 'Số tiền đã đến', '50,000 VND', code, '••••']) {
    await expect(receipt(page)).toContainText(text)
  }
  await expect(page.getByRole('link', { name: 'Báo vấn đề' })).toHaveAttribute(
    'href',
    `/user/help/new?kind=order&id=${code}`,
  )

  const over = (await order(request, token, { amount: 50_000 })).code
  await page.goto(`/recharge/${over}`)
  await expect(outcome(page, 'Đang chờ bạn chuyển khoản')).toBeVisible()
  await pay(request, token, { code: over, amount: 80_000 })
  await expect(outcome(page, 'Đã nhận nhiều hơn số tiền của đơn')).toBeVisible({ timeout: LIVE_MS })
  await expect(receipt(page)).toContainText('80,000 VND')

  // The next two come with the next look, so they wait side by side.
  const [under, late] = [
    (await order(request, token, { amount: 50_000 })).code,
    (await order(request, token, { amount: 50_000 })).code,
  ]
  await withDatabase((client) =>
    client.query(
      `UPDATE payment_order SET created_at = created_at - interval '1 hour', expires_at = expires_at - interval '1 hour'
        WHERE code = $1`,
      [late],
    ),
  )
  await page.route('**/api/recharge/orders/*/events', (route) => route.abort())
  await page.goto(`/recharge/${under}`)
  const other = await context.newPage()
  await signIn(other, token)
  await other.goto(`/recharge/${late}`)
  await expect(outcome(page, 'Đang chờ bạn chuyển khoản')).toBeVisible()
  await expect(outcome(other, 'Mã QR đã hết hạn')).toBeVisible()
  await pay(request, token, { code: late, amount: 50_000 })
  const bank = await context.newPage()
  await signIn(bank, token)
  await bank.goto(`/sandbox?code=${under}`)
  // The player has other open orders; this one is found by its code.
  const transfer = bank.getByRole('listitem').filter({ hasText: under })
  await transfer.getByLabel('Số tiền chuyển (VND)').fill('30000')
  await transfer.getByRole('button', { name: 'Chuyển khoản thử' }).click()
  await expect(outcome(page, 'Đã nhận ít hơn số tiền của đơn')).toBeVisible({ timeout: NEXT_READ_MS })
  await expect(receipt(page)).toContainText('30,000 VND')
  await expect(page.getByRole('main')).toContainText('còn thiếu 20,000 VND')
  await expect(page.getByRole('link', { name: 'Nạp thêm 20,000 VND' })).toHaveAttribute(
    'href',
    '/recharge?amount=20000',
  )
  await expect(outcome(other, 'Nạp TCoin thành công')).toBeVisible({ timeout: NEXT_READ_MS })
  await expect(other.getByRole('main')).toContainText('Số dư ví 210,000')
})

test('of three open orders one is cancelled to make room', async ({ page, request }) => {
  const { token } = await registerPlayer(request)
  const codes = [1, 2, 3].map(() => order(request, token, { amount: 50_000 }).then(({ code }) => code))
  const [first = ''] = await Promise.all(codes)
  await signIn(page, token)
  await page.goto('/recharge')
  await expect(page.getByText('Bạn đang có 3 đơn nạp chờ thanh toán')).toBeVisible()
  const waiting = page.getByRole('region', { name: 'Đang chờ bạn thanh toán' })
  await expect(waiting.getByRole('link', { name: `Tiếp tục thanh toán ${first}` })).toHaveAttribute(
    'href',
    `/recharge/${first}`,
  )
  const create = page.getByRole('button', { name: 'Tạo mã QR' })
  await expect(create).toBeDisabled()

  await page.getByRole('button', { name: `Hủy đơn ${first}` }).click()
  const confirmation = page.getByRole('alertdialog', { name: 'Hủy đơn nạp này?' })
  await confirmation.getByRole('button', { name: 'Hủy đơn' }).click()
  const list = page.getByRole('region', { name: 'Đơn nạp của bạn' })
  await expect(list.getByRole('listitem').filter({ hasText: first })).toContainText('Đã hủy')
  await expect(create).toBeEnabled()
})

/** A purchase that the game finishes only when the test releases it, successfully or with its character gone. */
async function buyHeld(
  { request, token }: Caller,
  watch: (id: string, letGo: (way: 'as-it-was' | 'without-character') => Promise<void>) => Promise<void>,
): Promise<void> {
  const known = await request.get('/api/exchange', { headers: headersOf(token) })
  const [character] = ((await known.json()) as { characters: { id: string }[] }).characters
  await withDatabase(async (client) => {
    const account = 'SELECT account FROM game.characters WHERE id = $1 FOR UPDATE'
    await client.query('BEGIN')
    const { rows } = await client.query<{ account: string }>(account, [character?.id])
    const bought = await request.post('/api/exchange/store', {
      headers: headersOf(token),
      data: { character_id: character?.id, amount: 10_000 },
    })
    expect(bought.status(), await bought.text()).toBe(200)
    const { delivery } = (await bought.json()) as { delivery: { id: string } }
    const rename = 'UPDATE game.characters SET account = $2 WHERE id = $1'
    await watch(delivery.id, async (way) => {
      if (way === 'without-character') await client.query(rename, [character?.id, 'nguoikhac'])
      await client.query('COMMIT')
    })
    await client.query(rename, [character?.id, rows[0]?.account])
  })
}

test('the receipt of a purchase updates automatically', async ({ page, request, trader, isMobile }) => {
  const caller = { request, token: trader.token }
  const { balance } = await whoIs(request, trader.token)
  await signIn(page, trader.token)

  /** From then on the page makes no more calls: changes come through the stream. */
  const streamed = () => page.waitForResponse((answer) => answer.url().endsWith('/user/deliveries/events'))

  await buyHeld(caller, async (_id, letGo) => {
    await page.goto('/user/transactions')
    await page.getByRole('link', { name: 'Món đã mua' }).click()
    // The line of the statement has more links than the row of the purchase.
    await expect(page.getByRole('heading', { level: 1, name: 'Món đã mua' })).toBeVisible()
    const bought = page.getByRole('listitem').filter({ hasText: '3,300 lượng cho' }).first()
    await expect(bought).toContainText(/đang giao/i)
    const streaming = streamed()
    await bought.getByRole('link').click()
    await expect(outcome(page, 'Đang giao')).toBeVisible()
    expect((await streaming).status()).toBe(200)
    await letGo('as-it-was')
    await expect(outcome(page, 'Đã giao')).toBeVisible({ timeout: NEXT_READ_MS })
    await expect(page.getByRole('region', { name: 'Diễn biến' })).toContainText('Đã vào game')
  })

  await buyHeld(caller, async (id, letGo) => {
    await page.goto('/user/transactions')
    await expect(balanceLink(page)).toContainText(formatNumber(balance - 20_000))
    await statementLines(page, isMobile)
      .first()
      .getByRole('link', { name: `Biên nhận ${id}` })
      .click()
    await expect(outcome(page, 'Đang giao')).toBeVisible()
    await letGo('without-character')
    await expect(outcome(page, 'Đã hoàn TCoin')).toBeVisible({ timeout: NEXT_READ_MS })
    await expect(page.getByText('Lý do: Nhân vật không còn trong game.')).toBeVisible()
    await expect(balanceLink(page)).toContainText(formatNumber(balance - 10_000))
  })
})
