import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { formatNumber } from '#contract/format-number.ts'
import { seedPlayers } from '#seeds/players.ts'
import {
  balanceLink,
  expect,
  loginByCall,
  readQr,
  registerPlayer,
  signIn,
  statementLines,
  test,
  whoIs,
} from './fixtures.ts'

const expectBalance = (page: Page, balance: number) =>
  expect(balanceLink(page)).toContainText(formatNumber(balance))

const success = (page: Page) => page.getByRole('alertdialog', { name: 'Thành công' })

test.describe('a transfer', () => {
  test('shows errors beside the field, asks for confirmation, and is made', async ({
    page,
    request,
    trader,
  }) => {
    const { balance } = await whoIs(request, trader.token)
    const payee = await registerPlayer(request)
    await signIn(page, trader.token)
    await page.goto('/user/transfer')
    const name = page.getByLabel('Tên đăng nhập người nhận')
    const amount = page.getByLabel('Số TCoin')

    await name.fill(trader.username.toUpperCase())
    await expect(page.getByRole('alert')).toHaveCount(0)
    await name.blur()
    await expect(page.getByText('Bạn không thể chuyển TCoin cho chính mình')).toBeVisible()
    await amount.pressSequentially(String(balance + 1))
    await expect(amount).toHaveValue(formatNumber(balance + 1))
    await amount.blur()
    await expect(page.getByText('Bạn còn thiếu: 1, vui lòng nạp thêm tiền')).toBeVisible()

    await name.fill(payee.username)
    await amount.fill('25000')
    await page.getByLabel('Kích hoạt giúp người nhận').check()
    const asked = page.getByRole('alertdialog', { name: 'Xác nhận chuyển TCoin' })
    // As a phone's keyboard sends a form. A key pressed for too long has not confirmed anything.
    await amount.press('Enter')
    await expect(asked).toContainText(payee.username)
    await page.keyboard.press('Enter')
    await expect(asked).toBeHidden()
    await amount.press('Enter')
    await expect(asked).toContainText('25,000')
    await asked.getByRole('button', { name: 'Chuyển TCoin' }).click()
    await success(page).getByRole('button', { name: 'Xác nhận' }).click()

    await expectBalance(page, balance - 25_000)
    await expect(page.getByText(`Đã chuyển 25,000 TCoin cho ${payee.username}.`)).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    expect(await whoIs(request, payee.token)).toMatchObject({ balance: 5_000, activated: true })
  })

  test('to an unknown player is refused in a dialog and at the field', async ({
    page,
    request,
    trader,
    consoleErrors,
  }) => {
    consoleErrors.expect(/status of 422/)
    const { balance } = await whoIs(request, trader.token)
    await signIn(page, trader.token)
    await page.goto('/user/transfer')
    await page.getByLabel('Tên đăng nhập người nhận').fill('khongcoai123')
    await page.getByLabel('Số TCoin').fill('1000')
    await page.getByRole('button', { name: 'Tiếp tục' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Chuyển TCoin' }).click()
    const failure = page.getByRole('alertdialog', { name: 'Thất bại' })
    await expect(failure).toContainText('Không tìm thấy người nhận')
    await failure.getByRole('button', { name: 'Xác nhận' }).click()
    await expect(page.getByRole('alert')).toHaveText('Không tìm thấy người nhận')
    await expectBalance(page, balance)
  })
})

test('an exchange whose response was lost is bought once, however often it is confirmed', async ({
  page,
  request,
  trader,
  consoleErrors,
}) => {
  consoleErrors.expect(/ERR_FAILED/)
  const { balance } = await whoIs(request, trader.token)
  await signIn(page, trader.token)
  let tries = 0
  await page.route('**/api/exchange/store', async (route) => {
    tries += 1
    const answer = await route.fetch()
    await (tries === 1 ? route.abort() : route.fulfill({ response: answer }))
  })
  await page.goto('/exchange')
  await page.getByRole('group', { name: 'Nhân vật nhận lượng' }).getByRole('radio').first().check()
  await page.getByRole('radio', { name: /^20,000/ }).check()
  await confirmExchange(page)
  await expect(page.getByText('Có lỗi xảy ra, vui lòng thử lại')).toBeVisible()
  await confirmExchange(page)
  await success(page).getByRole('button', { name: 'Xác nhận' }).click()
  expect(tries).toBe(2)
  await expectBalance(page, balance - 20_000)
  await page.reload()
  await expectBalance(page, balance - 20_000)
  await expect(page.getByText('6,600 lượng cho')).toHaveCount(1)
})

async function confirmExchange(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Đổi lượng' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Đổi lượng' }).click()
}

test.describe('the statement', () => {
  test('keeps its filter in the address, through reload and the way back', async ({
    page,
    trader,
    isMobile,
  }) => {
    await signIn(page, trader.token)
    await page.goto('/user/transactions')
    const lines = statementLines(page, isMobile)
    await expect(lines.last()).toContainText('Nạp TCoin')
    const all = await lines.count()
    expect(all).toBeGreaterThanOrEqual(2)

    await page.getByLabel('Loại giao dịch').selectOption('activation')
    await expect(page).toHaveURL(/\?type=activation$/)
    await expect(lines).toHaveCount(1)
    await expect(lines).toContainText('Phí kích hoạt tài khoản')
    await page.reload()
    await expect(lines).toHaveCount(1)

    await page.getByLabel('Tìm kiếm').fill('khongcogi')
    await page.getByRole('button', { name: 'Tìm', exact: true }).click()
    await expect(page.getByText('Không có giao dịch nào phù hợp với bộ lọc.')).toBeVisible()
    await page.goBack()
    await expect(page.getByLabel('Tìm kiếm')).toHaveValue('')
    await expect(lines).toHaveCount(1)
    await page.goBack()
    await expect(lines).toHaveCount(all)
    await page.getByLabel('Từ ngày').fill('2020-01-01')
    await expect(page).toHaveURL(/\?from=2020-01-01$/)
    await expect(page.getByLabel('Từ ngày')).toBeFocused()
    await page.getByLabel('Sắp xếp').selectOption('created_at-asc')
    await expect(lines.first()).toContainText('Nạp TCoin')
  })

  test('is saved as a file with what its filter lists, by the keyboard too', async ({
    page,
    trader,
    isMobile,
    consoleErrors,
  }) => {
    consoleErrors.expect(/status of 500/)
    await signIn(page, trader.token)
    await page.goto('/user/transactions?type=activation&sort=created_at-asc')
    await expect(statementLines(page, isMobile)).toHaveCount(1)
    const save = page.getByRole('button', { name: 'Tải tệp CSV' })
    const started = page.waitForEvent('download')
    await save.focus()
    await page.keyboard.press('Enter')
    const file = await started
    expect(file.suggestedFilename()).toMatch(/^lich-su-giao-dich-\d{4}-\d\d-\d\d\.csv$/)
    const [, ...rows] = (await readFile(await file.path(), 'utf8')).trim().split(/\r?\n/)
    expect(rows).toHaveLength(1)
    expect(rows[0]).toContain('Phí kích hoạt tài khoản')

    await page.route('**/api/user/transactions.csv?*', (route) => route.fulfill({ status: 500, body: '' }))
    await save.click()
    await expect(page.getByText('Có lỗi xảy ra, vui lòng thử lại')).toBeVisible()
    await expect(save).toBeEnabled()
    await page.unroute('**/api/user/transactions.csv?*')

    // The rows that a filter leaves out are not to be had either.
    await page.getByLabel('Tìm kiếm').fill('khongcogi')
    await page.getByRole('button', { name: 'Tìm', exact: true }).click()
    await expect(page.getByText('Không có giao dịch nào phù hợp với bộ lọc.')).toBeVisible()
    await expect(save).toHaveCount(0)
  })

  test('turns its pages in the address, and leads past its end to its last page', async ({
    page,
    trader,
  }) => {
    // A statement of three pages, made by repeating the rows of the real one.
    await page.route('**/api/user/transactions?*', async (route) => {
      const asked = Number(new URL(route.request().url()).searchParams.get('page') ?? 1)
      const first = new URL(route.request().url())
      first.searchParams.delete('page')
      const { data } = (await (await route.fetch({ url: first.href })).json()) as { data: unknown[] }
      const pagination = { page: asked, items_per_page: 20, total: 45, last_page: 3 }
      await route.fulfill({ json: { data: asked > 3 ? [] : data, payload: { pagination } } })
    })
    await signIn(page, trader.token)
    await page.goto('/user/transactions?page=99')
    await expect(page.getByText('Trang 3/3')).toBeVisible()
    await expect(page).toHaveURL('/user/transactions?page=3')
    await page.getByRole('button', { name: 'Trang trước' }).click()
    await expect(page.getByText('Trang 2/3')).toBeVisible()
    await page.goBack()
    await expect(page.getByText('Trang 3/3')).toBeVisible()
    await page.goto('/user/transactions?page=1e9')
    await expect(page.getByText('Trang 1/3')).toBeVisible()
  })

  test('that does not load says so and can be asked for again', async ({
    page,
    trader,
    isMobile,
    consoleErrors,
  }) => {
    consoleErrors.expect(/status of 500/)
    await signIn(page, trader.token)
    await page.route('**/api/user/transactions?*', (route) => route.fulfill({ status: 500, body: '' }))
    await page.goto('/user/transactions')
    await expect(page.getByRole('alert')).toContainText('Có lỗi xảy ra, vui lòng thử lại')
    await page.unroute('**/api/user/transactions?*')
    await page.getByRole('button', { name: 'Thử lại' }).click()
    await expect(statementLines(page, isMobile).last()).toContainText('Nạp TCoin')
  })
})

test.describe('an order', () => {
  test('gives its details to the clipboard and its picture to the phone', async ({
    page,
    context,
    newcomer,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await signIn(page, newcomer.token)
    const code = await openOrder(page)
    for (const [label, text] of [
      ['nội dung chuyển khoản', code],
      ['số tiền', '50000'],
    ] as const) {
      await page.getByRole('button', { name: `Sao chép ${label}` }).click()
      await expect(page.getByText('Đã sao chép')).toBeVisible()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text)
    }
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Lưu mã QR' }).click()
    const saved = await saving
    expect(saved.suggestedFilename()).toBe(`nap-tcoin-${code}.png`)
    const text = readQr(await readFile(await saved.path()))
    for (const part of ['970416', '540550000', code]) expect(text).toContain(part)
    await cancelOrder(page)
  })

  test('of another player is not found', async ({ page, request, trader, newcomer, consoleErrors }) => {
    consoleErrors.expect(/status of 404/)
    const answer = await request.post('/api/recharge/orders', {
      headers: { authorization: `Bearer ${trader.token}` },
      data: { channel: 3, amount: 20_000 },
    })
    const { code } = (await answer.json()) as { code: string }
    await signIn(page, newcomer.token)
    await page.goto(`/recharge/${code}`)
    await expect(page.getByText('Trang bạn đang tìm không tồn tại')).toBeVisible()
  })
})

async function openOrder(page: Page): Promise<string> {
  await page.goto('/recharge')
  await page.getByRole('radio', { name: /ACB/ }).check()
  await page.getByLabel('Số tiền (VND)').fill('50000')
  await page.getByRole('button', { name: 'Tạo mã QR' }).click()
  await page.waitForURL(/\/recharge\/[A-Z0-9]+$/)
  return new URL(page.url()).pathname.split('/').at(-1) ?? ''
}

async function cancelOrder(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Hủy đơn' }).click()
  const asked = page.getByRole('alertdialog', { name: 'Hủy đơn nạp này?' })
  await asked.getByRole('button', { name: 'Hủy đơn' }).click()
  await expect(page.getByRole('heading', { name: 'Đơn nạp đã hủy' })).toBeVisible()
}

test('a visitor sees the offers and is asked to log in', async ({ page, request }) => {
  const html = await (await request.get('/exchange')).text()
  for (const figure of ['10,000', '3,300 lượng', 'Khuyến mãi +10% lượng']) expect(html).toContain(figure)
  await page.goto('/exchange')
  await expect(page.getByRole('button', { name: 'Đổi lượng' })).toBeDisabled()
  await expect(page.getByText('Vui lòng đăng nhập để đổi lượng')).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Đăng nhập' }).first().click()
  await expect(page.getByRole('dialog', { name: 'Đăng nhập' })).toBeVisible()
})

test('a player ends the session of another device', async ({ page, request, newcomer }) => {
  const other = await loginByCall(request, newcomer)
  await signIn(page, newcomer.token)
  await page.goto('/user/profile')
  const ends = page.getByRole('button', { name: /^Đăng xuất khỏi thiết bị này/ })
  await expect(ends.first()).toBeVisible()
  // A few are shown at first; of the shared player there may be more.
  const all = page.getByRole('button', { name: /^Xem tất cả/ })
  if (await all.isVisible()) await all.click()
  const count = await ends.count()
  // The newest session comes first.
  await ends.first().click()
  await expect(ends).toHaveCount(count - 1)
  const answer = await request.post('/api/auth/verify', { data: { access_token: other } })
  expect(answer.status()).toBe(401)
  expect((await whoIs(request, newcomer.token)).activated).toBe(false)
})

test('a banned player reads why and until when, and cannot exchange', async ({ page, request }) => {
  const banned = seedPlayers.find(({ ban }) => ban)!
  await signIn(page, await loginByCall(request, banned))
  await page.goto('/exchange')
  await expect(page.getByText(/^Tài khoản bị khóa giao dịch đến \d\d\/\d\d\/\d{4}/)).toBeVisible()
  await expect(page.getByText(/Lý do: .*Rừng Trúc Đêm/)).toBeVisible()
  await page.getByRole('radio', { name: /daotrang/ }).check()
  await page.getByRole('radio', { name: /^10,000/ }).check()
  await expect(page.getByRole('button', { name: 'Đổi lượng' })).toBeDisabled()
  await expect(page.getByText('Tài khoản đang bị khóa giao dịch', { exact: true })).toBeVisible()
})
