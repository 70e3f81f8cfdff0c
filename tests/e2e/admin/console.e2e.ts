import { expect } from '../player/fixtures.ts'
import { watchScripts } from '../player/measures.ts'
import { appCode } from '#tests/support/players.ts'
import { withDatabase } from '../player/portal-database.ts'
import { expectAccessible } from '../accessible.ts'
import { openConsole, openFilters, signInToConsole, test } from './staff-page.ts'

const FIRST_LOAD_JS_GZIP_MAX = 200_000

test('an operator signs in, finds an order and signs out', async ({ page, aStaff, consoleErrors }) => {
  consoleErrors.expect(/status of 422/)
  const staff = await aStaff('cashier')
  await page.goto('/admin')
  await expectAccessible(page)
  await page.getByLabel('Tên đăng nhập').fill(staff.username)
  await page.getByLabel('Mật khẩu').fill('khong-phai-mat-khau')
  await page.getByRole('button', { name: 'Đăng nhập' }).click()
  await expect(page.getByRole('alert')).toHaveText('Tên đăng nhập hoặc mật khẩu không chính xác')
  await signInToConsole(page, staff, appCode(staff.secret, 1))

  await page.goto('/admin/recharge-orders')
  await expect(page.getByRole('heading', { level: 1, name: 'Đơn nạp' })).toBeVisible()
  await expectAccessible(page)
  await openFilters(page)
  await page.getByRole('combobox', { name: 'Trạng thái' }).selectOption('Đã hủy')
  await expect(page).toHaveURL(/status=cancelled/)
  await page.reload()
  await openFilters(page)
  await expect(page.getByRole('combobox', { name: 'Trạng thái' })).toHaveValue('cancelled')

  await page.locator('summary').filter({ hasText: staff.username }).click()
  await page.getByRole('button', { name: 'Đăng xuất' }).click()
  await expect(page.getByRole('heading', { name: 'Đăng nhập trang vận hành' })).toBeVisible()
})

test('an idle console is locked until a code is entered', async ({ page, aStaff, consoleErrors }) => {
  consoleErrors.expect(/status of (401|422)/)
  const staff = await aStaff('cashier')
  await openConsole(page, staff, '/recharge-orders')
  await openFilters(page)
  const code = page.getByRole('textbox', { name: 'Mã đơn' })
  await expect(code).toBeVisible()
  await withDatabase((database) =>
    database.query(
      `UPDATE sessions SET last_used_at = now() - interval '31 minutes' WHERE user_id =
         (SELECT id FROM users WHERE username = $1) AND kind = 'console'`,
      [staff.username],
    ),
  )
  await code.fill('TCX')
  const lock = page.getByRole('dialog', { name: 'Phiên đang khóa' })
  await expect(lock).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(lock).toBeVisible()
  await expectAccessible(page)
  await lock.getByLabel('Mã xác thực hai lớp').fill('000000')
  await lock.getByRole('button', { name: 'Mở khóa' }).click()
  await expect(lock.getByRole('alert')).toBeVisible()
  await lock.getByLabel('Mã xác thực hai lớp').fill(appCode(staff.secret, 1))
  await lock.getByRole('button', { name: 'Mở khóa' }).click()
  await expect(lock).toBeHidden()
  await expect(code).toHaveValue('TCX')
})

test(
  'after the end of a session a sign-in is needed',
  { tag: '@long' },
  async ({ page, aStaff, consoleErrors }) => {
    consoleErrors.expect(/status of 401/)
    const staff = await aStaff('cashier')
    const endSessions = () =>
      withDatabase((database) =>
        database.query(
          `UPDATE sessions SET expires_at = now() WHERE user_id =
           (SELECT id FROM users WHERE username = $1) AND kind = 'console'`,
          [staff.username],
        ),
      )
    await openConsole(page, staff, '/recharge-orders')
    const code = page.getByRole('textbox', { name: 'Mã đơn' })
    await expect(code).toBeVisible()
    await endSessions()
    await code.fill('TCX')
    const ended = page.getByRole('dialog', { name: 'Phiên đã kết thúc' })
    await expect(ended).toContainText('mã xác thực không mở lại được')
    await expectAccessible(page)
    await ended.getByLabel('Mật khẩu').fill(staff.password)
    await ended.getByLabel('Mã xác thực hai lớp').fill(appCode(staff.secret, 1))
    await ended.getByRole('button', { name: 'Đăng nhập' }).click()
    await expect(ended).toBeHidden()
    await expect(code).toHaveValue('TCX')
    // Reloaded with an old token.
    await endSessions()
    await page.reload()
    await expect(page.getByText('Phiên vận hành trước đã hết 12 giờ hoặc đã bị kết thúc')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Đăng nhập trang vận hành' })).toBeVisible()
  },
)

test('a list stores its filter, sorting and columns in the address', async ({ page, aStaff }) => {
  const staff = await aStaff('owner')
  await openConsole(page, staff, '/ledger-transfers')
  const table = page.getByRole('table', { name: 'Sổ cái' })
  await openFilters(page)
  await page.getByRole('combobox', { name: 'Loại' }).selectOption('Điều chỉnh')
  await expect(table).not.toContainText('Kích hoạt')
  const firstId = async () => Number(await table.locator('tbody td a').first().innerText())
  const newest = await firstId()
  await page.locator('summary').filter({ hasText: 'Cột' }).click()
  const column = page.getByRole('checkbox', { name: 'Nguồn' })
  // What is ticked follows from the address, a moment after the click.
  await column.click()
  await expect(page).toHaveURL(/kind=adjustment/)
  await expect(page).toHaveURL(/hidden=source/)
  await page.goto(`${page.url()}&sort=created_at`)
  await expect.poll(firstId).toBeLessThan(newest)
  await expect(table).not.toContainText('Kích hoạt')
  await expect(table).not.toContainText('Dữ liệu mẫu')
  await page.locator('summary').filter({ hasText: 'Cột' }).click()
  await column.click()
  await expect(column).toBeChecked()
  await expect(table).toContainText('Dữ liệu mẫu')
})

test('the keyboard opens screens and shows its keys', async ({ page, aStaff, consoleErrors }) => {
  // The document of an address without a screen.
  consoleErrors.expect(/status of 404/)
  const staff = await aStaff('cashier')
  await openConsole(page, staff, '/khong-co')
  await expect(page.getByRole('heading', { name: 'Không có trang này' })).toBeVisible()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Phím tắt' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await expect(page.getByRole('heading', { level: 1, name: 'Đơn nạp' })).toBeVisible()
})

test('its first load is small and without the site’s code', async ({ page, aStaff, request, portal }) => {
  const staff = await aStaff('owner')
  const scripts = watchScripts(page, portal.url)
  await openConsole(page, staff, '/recharge-orders')
  await expect(page.getByRole('heading', { level: 1, name: 'Đơn nạp' })).toBeVisible()
  expect(await scripts.gzipBytes()).toBeLessThanOrEqual(FIRST_LOAD_JS_GZIP_MAX)
  expect(scripts.urls().filter((url) => !new URL(url).pathname.startsWith('/admin/static/'))).toEqual([])
  const { headers } = { headers: (await request.get('/admin/users/1')).headers() }
  expect(headers['content-security-policy']).toMatch(/script-src 'self' 'sha256-[^ ;]+'; style-src 'self';/)
  expect([headers['cache-control'], headers['x-robots-tag']]).toEqual(['no-store', 'noindex, nofollow'])
})

test('by / screens, acts and settings are found without marks, and opened by keys', async ({
  page,
  aStaff,
}) => {
  await openConsole(page, await aStaff('owner'), '/users')
  await expect(page.getByRole('heading', { level: 1, name: 'Người chơi' })).toBeVisible()
  const box = page.getByRole('combobox', { name: /^Tìm người chơi/ })
  const found = page.getByRole('listbox', { name: 'Kết quả tìm kiếm' })
  const chosen = found.getByRole('option', { selected: true })
  await page.keyboard.press('/')
  await expect(found.getByRole('option', { name: 'Khuyến mãi' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/users$/)
  await expectAccessible(page)

  await page.keyboard.type('khuyen mai')
  await expect(chosen).toHaveText(/^Khuyến mãiMục$/)
  await page.keyboard.press('ArrowDown')
  await expect(chosen).toHaveText(/^Lập khuyến mãiThao tác · Khuyến mãi$/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/promotions$/)
  await expect(page.getByRole('dialog', { name: 'Lập khuyến mãi' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Lập khuyến mãi' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.keyboard.press('/')
  await page.keyboard.type('tai khoan nhan momo')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/settings\/money#bank_account_momo$/)
  await expect(page.locator('#bank_account_momo')).toBeInViewport()

  await box.fill('bảo trì')
  await expect(chosen).toHaveText(/^Bảo trì/)
  await page.keyboard.press('Escape')
  await expect(found).toBeHidden()
})

test('the search box offers only what the operator may open', async ({ page, aStaff }) => {
  await openConsole(page, await aStaff('referee'), '/tournaments')
  const box = page.getByRole('combobox', { name: /^Tìm người chơi/ })
  const options = page.getByRole('listbox', { name: 'Kết quả tìm kiếm' }).getByRole('option')
  await box.fill('tao giai')
  await expect(options).toHaveText([/^Tạo giải đấu/])
  await box.fill('tai khoan nhan')
  await expect(page.getByText('Không tìm thấy gì')).toBeVisible()
  await expect(options).toHaveCount(0)
})

test('a filter counts when typing pauses, and a screen reader is told how many rows are left', async ({
  page,
  aStaff,
}) => {
  const staff = await aStaff('owner')
  await openConsole(page, staff, '/users')
  await openFilters(page)
  const field = page.getByRole('textbox', { name: 'Tên, điện thoại, email, nhân vật' })
  await field.pressSequentially(staff.username)
  await expect(page).toHaveURL(new RegExp(`q=${staff.username}$`))
  await expect(page.getByText('1 dòng', { exact: true })).toBeAttached()
  await expect(field).toHaveValue(staff.username)
  await field.fill('')
  await expect(page).toHaveURL(/\/users$/)
  await page.goBack()
  await expect(field).toHaveValue(staff.username)

  // As on a slow machine: the way back is taken before the screen shows what the address has become.
  await page.evaluate(() => {
    const push = history.pushState
    history.pushState = (...entry) => {
      history.pushState = push
      history.pushState(...entry)
      history.back()
    }
  })
  await field.fill('')
  await expect(field).toHaveValue(staff.username)
  await expect(page.getByText('1 dòng', { exact: true })).toBeAttached()

  await page.goto('/admin/recharge-orders')
  await openFilters(page)
  const amount = page.getByRole('textbox', { name: 'Số tiền' })
  await amount.fill('nhiều')
  await amount.press('Enter')
  await expect(page.getByText('Chỉ nhập số')).toBeVisible()
  await expect(page).toHaveURL(/\/recharge-orders$/)
  await amount.fill('50,000')
  await amount.press('Enter')
  await expect(page).toHaveURL(/amount=50%2C000$/)
  await expect(page.getByText('Chỉ nhập số')).toBeHidden()
})
