import { expect } from '../player/fixtures.ts'
import { watchScripts } from '../player/measures.ts'
import { appCode } from '#tests/support/players.ts'
import { withDatabase } from '../player/portal-database.ts'
import { expectAccessible } from '../accessible.ts'
import { openConsole, signInToConsole, test } from './staff-page.ts'

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
  await page.getByRole('combobox', { name: 'Trạng thái' }).selectOption('Đã hủy')
  await expect(page).toHaveURL(/status=cancelled/)
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Trạng thái' })).toHaveValue('cancelled')

  await page.locator('summary').filter({ hasText: staff.username }).click()
  await page.getByRole('button', { name: 'Đăng xuất' }).click()
  await expect(page.getByRole('heading', { name: 'Đăng nhập trang vận hành' })).toBeVisible()
})

test('an idle console is locked until a code is entered', async ({ page, aStaff, consoleErrors }) => {
  consoleErrors.expect(/status of (401|422)/)
  const staff = await aStaff('cashier')
  await openConsole(page, staff, '/recharge-orders')
  await page.getByRole('textbox', { name: 'Mã đơn' }).fill('TCX')
  await withDatabase((database) =>
    database.query(
      `UPDATE sessions SET last_used_at = now() - interval '31 minutes' WHERE user_id =
         (SELECT id FROM users WHERE username = $1) AND kind = 'console'`,
      [staff.username],
    ),
  )
  await page.getByRole('button', { name: 'Lọc' }).click()
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
  await expect(page.getByRole('textbox', { name: 'Mã đơn' })).toHaveValue('TCX')
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
    await page.getByRole('textbox', { name: 'Mã đơn' }).fill('TCX')
    await endSessions()
    await page.getByRole('button', { name: 'Lọc' }).click()
    const ended = page.getByRole('dialog', { name: 'Phiên đã kết thúc' })
    await expect(ended).toContainText('mã xác thực không mở lại được')
    await expectAccessible(page)
    await ended.getByLabel('Mật khẩu').fill(staff.password)
    await ended.getByLabel('Mã xác thực hai lớp').fill(appCode(staff.secret, 1))
    await ended.getByRole('button', { name: 'Đăng nhập' }).click()
    await expect(ended).toBeHidden()
    await expect(page.getByRole('textbox', { name: 'Mã đơn' })).toHaveValue('TCX')
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
