import type { Page } from '@playwright/test'
import { letterTo, registerWith, statusOf, textForCode, wrongCode } from './accounts.ts'
import {
  expect,
  expectSignedIn,
  freshPhone,
  freshUsername,
  loginByCall,
  PASSWORD,
  test,
  sendLogin,
} from './fixtures.ts'

const NEW_PASSWORD = 'matkhau-moi-9'
const TOKEN_INVALID = 'Yêu cầu không hợp lệ, vui lòng gửi một yêu cầu mới'

const forgot = (page: Page) => page.getByRole('dialog', { name: 'Quên mật khẩu' })
const reset = (page: Page) => page.getByRole('dialog', { name: 'Đặt lại mật khẩu' })

async function typeNewPassword(page: Page, password: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Mật khẩu mới', { exact: true }).fill(password)
  await dialog.getByLabel('Nhập lại mật khẩu mới').fill(password)
  await dialog.getByRole('button', { name: 'Đặt mật khẩu mới' }).click()
}

test('the forgot modal verifies a code once at six digits', async ({ page, request, consoleErrors }) => {
  consoleErrors.expect(/status of 422/)
  const phone = freshPhone()
  const verified: unknown[] = []
  page.on('request', (sent) => {
    if (sent.url().endsWith('/api/one-time-password/verify')) verified.push(sent.postDataJSON())
  })
  await page.goto('/forgot')
  await expect(page).toHaveURL(/\/home$/)
  await page.getByRole('tab', { name: 'Điện thoại' }).click()
  const code = forgot(page).getByLabel('Mã OTP')
  await forgot(page).getByRole('button', { name: 'Lấy mã qua SMS' }).click()
  await expect(code).toHaveAccessibleDescription('Vui lòng nhập số điện thoại')

  await forgot(page).getByLabel('Số điện thoại').fill(phone)
  await forgot(page).getByRole('button', { name: 'Lấy mã qua SMS' }).click()
  await expect(forgot(page)).toContainText(`Soạn tin THN OTP gửi đến 7039 từ số ${phone}`)
  await expect(forgot(page)).toContainText('1,000đ')
  await expect(forgot(page).getByRole('link', { name: 'Mở tin nhắn soạn sẵn' })).toHaveAttribute(
    'href',
    'sms:7039?body=THN%20OTP',
  )
  await expect(code).toHaveAttribute('inputmode', 'numeric')
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code')

  const right = await textForCode(request, phone)
  await code.pressSequentially(`${wrongCode(right).slice(0, 5)} x`)
  expect(verified).toEqual([])
  await code.pressSequentially(wrongCode(right).slice(5))
  await expect(code).toHaveAccessibleDescription('Mã OTP không chính xác hoặc đã hết hạn')
  await expect(code).toHaveValue('')
  expect(verified).toEqual([{ phone, code: wrongCode(right) }])

  await code.pressSequentially(`${right}99`)
  await expect(forgot(page).getByText('Đã xác thực!')).toBeVisible()
  await expect(code).toHaveValue(right)
  await expect(code).not.toBeEditable()
  expect(verified).toHaveLength(2)
})

test('a code that comes slowly is announced', { tag: '@long' }, async ({ page }) => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/api/one-time-password/verify', async (route) => {
    await answered
    await route.fulfill({ json: { verified: true } })
  })
  await page.goto('/forgot')
  await page.getByRole('tab', { name: 'Điện thoại' }).click()
  await forgot(page).getByLabel('Mã OTP').fill('123456')
  await expect(forgot(page).getByLabel('Mã OTP')).toHaveAccessibleDescription('Vui lòng nhập số điện thoại')
  // The phone may come last.
  await forgot(page).getByLabel('Số điện thoại').pressSequentially('0912345601')
  await expect(forgot(page).getByText('Đang xác thực...')).toBeVisible()
  answer()
  await expect(forgot(page).getByText('Đã xác thực!')).toBeVisible()
})

test('a password is reset by a code of the phone', async ({ page, request, consoleErrors }) => {
  consoleErrors.expect(/status of 422/)
  const phone = freshPhone()
  const player = await registerWith(request, { phone })
  await page.goto('/login')
  await page
    .getByRole('dialog', { name: 'Đăng nhập' })
    .getByRole('button', { name: 'Quên mật khẩu?' })
    .click()
  await forgot(page).getByLabel('Tên đăng nhập').fill(player.username)
  await page.getByRole('tab', { name: 'Điện thoại' }).click()
  await expect(forgot(page).getByLabel('Tên đăng nhập')).toHaveValue(player.username)
  await forgot(page).getByLabel('Số điện thoại').fill(phone)
  await expect(forgot(page).getByLabel('Mật khẩu mới', { exact: true })).toHaveCount(0)
  await forgot(page)
    .getByLabel('Mã OTP')
    .fill(await textForCode(request, phone))
  await expect(forgot(page).getByLabel('Mật khẩu mới', { exact: true })).toBeFocused()

  await forgot(page).getByLabel('Mật khẩu mới', { exact: true }).fill(NEW_PASSWORD)
  await forgot(page).getByLabel('Nhập lại mật khẩu mới').fill('khac-han')
  await forgot(page).getByRole('button', { name: 'Đặt mật khẩu mới' }).click()
  await expect(forgot(page).getByText('Mật khẩu nhập lại không chính xác')).toBeVisible()
  await typeNewPassword(page, NEW_PASSWORD)
  await expectSignedIn(page, player.username)
  await expect(page.locator('dialog[open]')).toHaveCount(0)
  expect(await statusOf(request, player.token)).toBe(401)
  const old = await request.post('/api/auth/login', {
    data: { username: player.username, password: PASSWORD },
  })
  expect(old.status()).toBe(422)
  await loginByCall(request, { username: player.username, password: NEW_PASSWORD })
})

test(
  'a code that is not for this account is refused',
  { tag: '@long' },
  async ({ page, request, consoleErrors }) => {
    consoleErrors.expect(/status of 422/)
    const phone = freshPhone()
    await page.goto('/forgot')
    await page.getByRole('tab', { name: 'Điện thoại' }).click()
    await forgot(page).getByLabel('Tên đăng nhập').fill(freshUsername())
    await forgot(page).getByLabel('Số điện thoại').fill(phone)
    await forgot(page)
      .getByLabel('Mã OTP')
      .fill(await textForCode(request, phone))
    await typeNewPassword(page, NEW_PASSWORD)
    const failure = page.getByRole('alertdialog', { name: 'Thất bại' })
    await expect(failure).toContainText('Mã OTP không chính xác hoặc đã hết hạn')
    await failure.getByRole('button', { name: 'Xác nhận' }).click()
    await expect(forgot(page).getByLabel('Mật khẩu mới', { exact: true })).toHaveCount(0)
    await expect(forgot(page).getByLabel('Mã OTP')).toHaveValue('')
    await expect(forgot(page).getByLabel('Mã OTP')).toBeEditable()
  },
)

test('a password is reset by a mailed link', async ({ page, request, portal, mail, consoleErrors }) => {
  consoleErrors.expect(/status of 422/)
  const email = `${freshUsername()}@thu.test`
  const player = await registerWith(request, { phone: freshPhone(), email })
  await page.goto('/forgot')
  await forgot(page).getByLabel('Tên đăng nhập').fill(player.username)
  await forgot(page).getByRole('textbox', { name: 'Email' }).fill('khong-phai-email')
  await forgot(page).getByRole('button', { name: 'Gửi liên kết' }).click()
  await expect(forgot(page).getByText('Email không hợp lệ')).toBeVisible()
  await forgot(page).getByRole('textbox', { name: 'Email' }).fill(email)
  await forgot(page).getByRole('button', { name: 'Gửi liên kết' }).click()
  const failure = page.getByRole('alertdialog', { name: 'Thành công' })
  await expect(failure).toBeVisible()
  await failure.getByRole('button', { name: 'Xác nhận' }).click()
  await expect(page.locator('dialog[open]')).toHaveCount(0)

  const link = await letterTo(mail, email, /(http:\S+\/password\/[\w-]+)/)
  const token = link.split('/').at(-1)!
  expect(link.startsWith(portal.url)).toBe(true)
  await page.goto(link)
  await expect(reset(page)).toBeVisible()
  await expect(page).toHaveURL(/\/home$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const stored = await page.evaluate(() =>
    JSON.stringify([
      location.href,
      document.referrer,
      history.state,
      { ...localStorage },
      { ...sessionStorage },
    ]),
  )
  expect(stored).not.toContain(token)
  expect(await page.content()).not.toContain(token)
  await expect(reset(page).getByLabel('Mật khẩu mới', { exact: true })).toBeFocused()
  await typeNewPassword(page, NEW_PASSWORD)
  await expectSignedIn(page, player.username)
  expect(await statusOf(request, player.token)).toBe(401)
  await letterTo(mail, email, /(Mật khẩu[^\n]*)/i)

  // The link has been used, and the page shows it before anything is typed. A signed-in player stays signed in.
  await page.goto(link)
  await expect(reset(page)).toContainText(TOKEN_INVALID)
  await expect(reset(page).getByRole('textbox')).toHaveCount(0)
  await expectSignedIn(page, player.username)
  await reset(page).getByRole('button', { name: 'Gửi yêu cầu mới' }).click()
  await expect(forgot(page)).toBeVisible()
})

test('a reset without a token leads to a new request', { tag: '@long' }, async ({ page }) => {
  await page.goto('/password')
  await expect(reset(page).getByText(TOKEN_INVALID)).toBeVisible()
  await expect(page).toHaveURL(/\/home$/)
  await reset(page).getByRole('button', { name: 'Gửi yêu cầu mới' }).click()
  await expect(forgot(page)).toBeVisible()
  await expect(page.locator('dialog[open]')).toHaveCount(1)
})

test('the page of a link is not indexed and sends no referrer', async ({ request }) => {
  const answer = await request.get('/password/mot-ma-bi-mat')
  expect(answer.headers()['referrer-policy']).toBe('no-referrer')
  const html = await answer.text()
  expect(html).toContain('<meta name="robots" content="noindex">')
  expect(html).not.toContain('mot-ma-bi-mat')
})

test(
  'a throttled login offers the other ways in',
  { tag: '@long' },
  async ({ page, request, consoleErrors }) => {
    consoleErrors.expect(/status of 429/)
    const { username } = await registerWith(request, { phone: freshPhone() })
    // From the page's own browser: the one that registered is known, and counted apart.
    for (let wrong = 0; wrong < 10; wrong++) {
      await page.request.post('/api/auth/login', { data: { username, password: 'khong-phai' } })
    }
    const login = page.getByRole('dialog', { name: 'Đăng nhập' })
    const refused = async () => {
      await page.goto('/login')
      await sendLogin(login, { username, password: PASSWORD })
    }
    for (const [way, tab] of [
      ['Vào bằng mã SMS', 'Điện thoại'],
      ['Vào bằng email', 'Email'],
    ] as const) {
      await refused()
      await login.getByRole('button', { name: way }).click()
      await expect(forgot(page).getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true')
    }
    await page.goto('/forgot?way=phone')
    await expect(forgot(page).getByRole('tab', { name: 'Điện thoại' })).toHaveAttribute(
      'aria-selected',
      'true',
    )
  },
)
