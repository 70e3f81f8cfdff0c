import type { Page } from '@playwright/test'
import { openMenu } from '#tests/support/page-states/page-state.ts'
import { appCode } from '#tests/support/players.ts'
import { registerWith, statusOf, textForCode } from './accounts.ts'
import {
  expect,
  expectNoStepBack,
  expectSignedIn,
  freshPhone,
  freshUsername,
  loginByCall,
  readQr,
  signIn,
  test,
  type Player,
  sendLogin,
} from './fixtures.ts'

const login = (page: Page) => page.getByRole('dialog', { name: 'Đăng nhập' })

async function logInWith(page: Page, player: Player, otp: string): Promise<void> {
  await page.goto('/login')
  await sendLogin(login(page), player)
  await expect(login(page).getByText('Vui lòng nhập mã xác thực hai lớp')).toBeVisible()
  const field = login(page).getByLabel('Mã xác thực hai lớp')
  await expect(field).toBeFocused()
  await field.fill(otp)
  await login(page).getByRole('button', { name: 'Đăng nhập' }).click()
}

test(
  'the second factor is added by link or key',
  { tag: '@long' },
  async ({ page, context, request, isMobile }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const player = await registerWith(request, { phone: freshPhone() })
    await signIn(page, player.token)
    await page.goto('/user/profile')
    await page.getByRole('button', { name: 'Bật xác thực hai lớp' }).click()
    if (isMobile) {
      // On a small phone nothing has to be scrolled: the picture is for another device, and comes last.
      await page.setViewportSize({ width: 360, height: 640 })
      const confirm = page.getByRole('button', { name: 'Bật xác thực', exact: true })
      await expect(confirm).toBeEnabled()
      await expect(confirm).toBeInViewport({ ratio: 1 })
      await expect(page.getByRole('dialog').getByRole('heading')).toBeInViewport({ ratio: 1 })
    }
    const picture = page.getByRole('img', { name: /^Mã QR/ })
    const uri = readQr(await picture.screenshot())
    const open = page.getByRole('dialog').getByRole('link', { name: 'Mở ứng dụng xác thực' })
    if (isMobile) await expect(open).toHaveAttribute('href', uri)
    else await expect(open).toBeHidden()
    await page.getByRole('dialog').getByRole('button', { name: 'Sao chép khóa để nhập vào ứng dụng' }).click()
    await expect(page.getByText('Đã sao chép')).toBeVisible()
    const secret = new URL(uri).searchParams.get('secret')!
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
    await page.getByLabel('Mã 6 số').fill(appCode(secret))
    await page.getByRole('button', { name: 'Bật xác thực', exact: true }).click()
    await expect(page.getByRole('list', { name: 'Mã khôi phục' })).toBeVisible()
  },
)

test('the second factor is turned on by a picture, asked for at login, and replaced by a recovery code', async ({
  page,
  browser,
  request,
  portal,
  consoleErrors,
}) => {
  test.setTimeout(120_000)
  consoleErrors.expect(/status of 422/)
  const player = await registerWith(request, { phone: freshPhone() })
  await signIn(page, player.token)
  await page.goto('/user/profile')
  await page.getByRole('button', { name: 'Bật xác thực hai lớp' }).click()
  const picture = page.getByRole('img', { name: /^Mã QR/ })
  await expect(picture).toBeVisible()
  const uri = readQr(await picture.screenshot())
  expect(uri).toMatch(/^otpauth:\/\/totp\//)
  const secret = new URL(uri).searchParams.get('secret')!
  const shown = await page.getByRole('dialog').innerText()
  expect(shown.replace(/\s/g, '')).toContain(secret)

  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Bật xác thực' }).click()
  await expect(dialog.getByText('Không được bỏ trống')).toBeVisible()
  await dialog.getByLabel('Mã 6 số').fill(appCode(secret))
  await dialog.getByRole('button', { name: 'Bật xác thực' }).click()
  const listed = dialog.getByRole('list', { name: 'Mã khôi phục' }).getByRole('listitem')
  await expect(listed).toHaveCount(10)
  const codes = await listed.allInnerTexts()
  const downloading = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Tải về' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('ma-khoi-phuc.txt')
  await dialog.getByRole('button', { name: 'Tôi đã lưu mã' }).click()
  await expect(page.getByText('Còn 10 mã khôi phục.')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Còn 10 mã khôi phục.')).toBeVisible()
  await expect(page.getByText(codes[0]!)).toHaveCount(0)

  // A second device: with the next code of the app, and later with a recovery code.
  const other = await browser.newContext({ baseURL: portal.url, locale: 'vi-VN' })
  await other.addInitScript(() => localStorage.setItem('lastSeenHello', String(Date.now())))
  const second = await other.newPage()
  await logInWith(second, player, appCode(secret, 1))
  await expectSignedIn(second, player.username)
  await openMenu(second)
  await second.getByRole('banner').getByRole('button', { name: 'Đăng xuất' }).click()
  await logInWith(second, player, codes[3]!)
  await expectSignedIn(second, player.username)
  await expectNoStepBack(second)
  await second.goto('/user/profile')
  await expect(second.getByText('Còn 9 mã khôi phục.')).toBeVisible()

  await second.getByRole('button', { name: 'Tắt xác thực hai lớp' }).click()
  await second.getByLabel('Mã trong ứng dụng hoặc mã khôi phục').fill(codes[4]!)
  await second.getByRole('dialog').getByRole('button', { name: 'Tắt xác thực hai lớp' }).click()
  await expect(second.getByRole('button', { name: 'Bật xác thực hai lớp' })).toBeVisible()
  await loginByCall(request, player)
  await other.close()
})

test(
  'a forgotten password does not pass by the second factor',
  { tag: '@long' },
  async ({ page, request, consoleErrors }) => {
    consoleErrors.expect(/status of 422/)
    const phone = freshPhone()
    const player = await registerWith(request, { phone })
    const headers = { authorization: `Bearer ${player.token}` }
    const started = await request.post('/api/user/second-factor', { headers })
    const { secret } = (await started.json()) as { secret: string }
    const confirmed = await request.post('/api/user/second-factor/confirm', {
      headers,
      data: { code: appCode(secret) },
    })
    const { recovery_codes } = (await confirmed.json()) as { recovery_codes: string[] }

    await page.goto('/forgot')
    const dialog = page.getByRole('dialog', { name: 'Quên mật khẩu' })
    await page.getByRole('tab', { name: 'Điện thoại' }).click()
    await dialog.getByLabel('Tên đăng nhập').fill(player.username)
    await dialog.getByLabel('Số điện thoại').fill(phone)
    await dialog.getByLabel('Mã OTP').fill(await textForCode(request, phone))
    await dialog.getByLabel('Mật khẩu mới', { exact: true }).fill('matkhau-moi-9')
    await dialog.getByLabel('Nhập lại mật khẩu mới').fill('matkhau-moi-9')
    await dialog.getByRole('button', { name: 'Đặt mật khẩu mới' }).click()
    const factor = dialog.getByLabel('Mã xác thực hai lớp')
    await expect(factor).toBeFocused()
    expect(await statusOf(request, player.token)).toBe(200)

    await factor.fill('00000-00000')
    await dialog.getByRole('button', { name: 'Đặt mật khẩu mới' }).click()
    const refused = page.getByRole('alertdialog', { name: 'Thất bại' })
    await expect(refused).toContainText('Mã xác thực hai lớp')
    await refused.getByRole('button', { name: 'Xác nhận' }).click()
    await factor.fill(recovery_codes[0]!)
    await dialog.getByRole('button', { name: 'Đặt mật khẩu mới' }).click()
    await expectSignedIn(page, player.username)
    expect(await statusOf(request, player.token)).toBe(401)
  },
)

test(
  'other devices are signed out from here',
  { tag: '@long' },
  async ({ page, browser, request, portal }) => {
    const player = await registerWith(request, { phone: freshPhone() })
    const elsewhere = await loginByCall(request, player)
    const other = await browser.newContext({ baseURL: portal.url, locale: 'vi-VN' })
    const second = await other.newPage()
    await signIn(second, elsewhere)
    await second.goto('/user/transactions')
    await expectSignedIn(second, player.username)

    await signIn(page, player.token)
    await page.goto('/user/profile')
    await page.getByRole('button', { name: 'Đăng xuất khỏi mọi thiết bị khác' }).click()
    await expect(page.getByRole('button', { name: 'Đăng xuất khỏi mọi thiết bị khác' })).toHaveCount(0)
    expect(await statusOf(request, elsewhere)).toBe(401)
    expect(await statusOf(request, player.token)).toBe(200)

    await openMenu(second)
    await second.getByRole('navigation', { name: 'Danh mục' }).getByRole('link', { name: 'Hồ sơ' }).click()
    await expect(second.getByText('Phiên đăng nhập đã hết hạn, vui lòng đăng nhập lại')).toBeVisible()
    await expect(login(second)).toBeVisible()
    expect(await second.evaluate(() => localStorage.getItem('auth-react-v'))).toBeNull()
    await other.close()
  },
)

test(
  'a changed password ends the other sessions',
  { tag: '@long' },
  async ({ page, request, consoleErrors }) => {
    consoleErrors.expect(/status of 422/)
    const player = await registerWith(request, { phone: freshPhone() })
    const elsewhere = await loginByCall(request, player)
    await signIn(page, player.token)
    await page.goto('/user/profile')
    await page.getByRole('button', { name: 'Đổi mật khẩu' }).click()
    const dialog = page.getByRole('dialog', { name: 'Đổi mật khẩu' })
    const change = async (current: string) => {
      await dialog.getByLabel('Mật khẩu hiện tại').fill(current)
      await dialog.getByLabel('Mật khẩu mới', { exact: true }).fill('matkhau-moi-9')
      await dialog.getByLabel('Nhập lại mật khẩu mới').fill('matkhau-moi-9')
      await dialog.getByRole('button', { name: 'Đổi mật khẩu' }).click()
    }
    await change('khong-phai-no')
    const refused = page.getByRole('alertdialog', { name: 'Thất bại' })
    await expect(refused).toContainText(/mật khẩu/i)
    await refused.getByRole('button', { name: 'Xác nhận' }).click()
    await change(player.password)
    await page
      .getByRole('alertdialog', { name: 'Thành công' })
      .getByRole('button', { name: 'Xác nhận' })
      .click()
    await expect(dialog).toBeHidden()
    expect(await statusOf(request, elsewhere)).toBe(401)
    expect(await statusOf(request, player.token)).toBe(200)
    await loginByCall(request, { username: player.username, password: 'matkhau-moi-9' })
  },
)

test('the history shows who signed in and who tried', async ({ page, request }) => {
  const email = `${freshUsername()}@thu.test`
  const player = await registerWith(request, { phone: freshPhone(), email })
  await request.post('/api/auth/login', { data: { username: player.username, password: 'sai-mat-khau' } })
  await loginByCall(request, player)
  await signIn(page, player.token)
  await page.goto('/user/profile')
  await page.getByRole('link', { name: /Xem lịch sử đăng nhập/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lịch sử đăng nhập')
  const lines = page.getByRole('main').getByRole('listitem')
  await expect(lines.filter({ hasText: 'Sai mật khẩu' })).toHaveCount(1)
  await expect(lines.filter({ hasText: 'Thành công' }).first()).toBeVisible()
})
