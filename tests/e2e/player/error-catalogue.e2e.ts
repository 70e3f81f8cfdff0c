import { everyNth } from '#tests/support/test-run.ts'
import type { Page, Route } from '@playwright/test'
import { TOAST_TEXT_MAX, TOAST_TIMEOUT_MS } from '#contract/constants.ts'
import { seedPlayers } from '#seeds/players.ts'
import {
  expect,
  expectSignedIn,
  freshUsername,
  loginByCall,
  signIn,
  test,
  sendLogin,
  sendRegistration,
} from './fixtures.ts'
import { watchToast } from './measures.ts'

// The error catalogue of the portal, row by row: the browser gets a faked answer, the page has to react to it.

const DEFAULT_FAILURE = 'Có lỗi xảy ra, vui lòng thử lại'
const SESSION_EXPIRED = 'Phiên đăng nhập đã hết hạn, vui lòng đăng nhập lại'
const SENTENCE = 'Máy chủ nói rằng việc này chưa làm được'

type Reply = { status: number; body?: object | string }

const refusal = (more: object) => ({ code: 'CONFLICT', message: SENTENCE, requestId: 'thu-1', ...more })

const giving = (reply: Reply) => (route: Route) =>
  route.fulfill({
    status: reply.status,
    contentType: 'application/json',
    body: typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {}),
  })

const toasts = (page: Page) => page.locator('output .toast')
const anyDialog = (page: Page) => page.getByRole('alertdialog')
const loginDialog = (page: Page) => page.getByRole('dialog', { name: 'Đăng nhập' })
const storedSession = (page: Page) => page.evaluate(() => localStorage.getItem('auth-react-v'))

/** Opens the exchange as a player who may buy, with everything chosen; nothing is bought, since each answer is faked. */
async function prepareExchange(page: Page, token: string): Promise<void> {
  await signIn(page, token)
  await page.goto('/exchange')
  await page.getByRole('group', { name: 'Nhân vật nhận lượng' }).getByRole('radio').first().check()
  await page.getByRole('radio', { name: /10,000/ }).check()
}

async function exchangeAnswered(page: Page, reply: Reply): Promise<void> {
  await page.unroute('**/api/exchange/store')
  await page.route('**/api/exchange/store', giving(reply))
  await page.getByRole('button', { name: 'Đổi lượng' }).click()
  await anyDialog(page).getByRole('button', { name: 'Đổi lượng' }).click()
}

/** Reads the dialog and closes it with its button. */
async function expectDialog(page: Page, title: string, lines: string[]): Promise<void> {
  const dialog = page.getByRole('alertdialog', { name: title, exact: true })
  await expect(dialog.getByRole('paragraph')).toHaveText(lines)
  await dialog.getByRole('button', { name: 'Xác nhận' }).click()
  await expect(dialog).toBeHidden()
}

test.describe('a refusal', () => {
  for (const status of everyNth([401, 403], 2)) {
    test(`with ${status} ends the session and leads to login`, async ({ page, trader, consoleErrors }) => {
      consoleErrors.expect(new RegExp(`status of ${status}`))
      const visited: string[] = []
      page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname))
      await prepareExchange(page, trader.token)
      await exchangeAnswered(page, { status, body: refusal({ report: true }) })
      await expect(toasts(page)).toHaveText(SESSION_EXPIRED)
      await expect(loginDialog(page)).toBeVisible()
      await expect(anyDialog(page)).toHaveCount(0)
      expect(await storedSession(page)).toBeNull()
      expect(visited).toContain('/login')
    })
  }

  test('is shown by dialog, toast or field as its flags demand', async ({ page, trader, consoleErrors }) => {
    consoleErrors.expect(/status of (409|422|500|502)/)
    await prepareExchange(page, trader.token)
    await exchangeAnswered(page, { status: 409, body: refusal({ report: true }) })
    await expectDialog(page, 'Thất bại', [SENTENCE])
    await exchangeAnswered(page, { status: 409, body: refusal({ message: '', report: true }) })
    await expectDialog(page, 'Thất bại', [DEFAULT_FAILURE])
    const errors = {
      character_id: ['Nhân vật đang bị khóa', 'Nhân vật không đọc được'],
      amount: ['Mệnh giá đã đóng', 'Mệnh giá không có'],
    }
    await exchangeAnswered(page, { status: 422, body: refusal({ code: 'VALIDATION', errors }) })
    await expectDialog(page, 'Thất bại', ['Nhân vật đang bị khóa', 'Mệnh giá đã đóng'])
    await expect(toasts(page)).toHaveCount(0)
    await exchangeAnswered(page, { status: 409, body: refusal({ notify: true }) })
    await expect(toasts(page)).toHaveText(SENTENCE)
    await expect(anyDialog(page)).toHaveCount(0)
    await exchangeAnswered(page, { status: 502, body: '<html><h1>Bad gateway</h1></html>' })
    await expect(toasts(page).last()).toHaveText(DEFAULT_FAILURE)
    await expect(toasts(page)).toHaveCount(0)
    // Internal errors of the server are not shown.
    const broken = refusal({ message: 'duplicate key value violates unique constraint', report: true })
    await exchangeAnswered(page, { status: 500, body: broken })
    await expect(toasts(page)).toHaveText(DEFAULT_FAILURE)
    await expect(anyDialog(page)).toHaveCount(0)
  })
})

test.describe('a success', () => {
  const bought = { balance: 1, delivery: { id: '1', status: 'pending' } }

  test('with the report flag is a dialog', { tag: '@long' }, async ({ page, trader, consoleErrors }) => {
    await page.route('**/api/user/deliveries/1', (route) => route.abort())
    consoleErrors.expect(/ERR_FAILED/)
    await prepareExchange(page, trader.token)
    await exchangeAnswered(page, { status: 200, body: { ...bought, report: true } })
    await expectDialog(page, 'Thành công', ['Thực hiện thành công', 'Số dư ví 1 TCoin'])
  })

  test(
    'with the notify flag is a toast of 110 characters for 3 s',
    { tag: '@long' },
    async ({ page, trader }) => {
      const long = 'Đổi lượng thành công, '.repeat(8)
      await prepareExchange(page, trader.token)
      const shown = page.evaluate(watchToast)
      await exchangeAnswered(page, { status: 200, body: { ...bought, notify: true, message: long } })
      const { text, ms } = await shown
      expect(text).toBe(long.slice(0, TOAST_TEXT_MAX))
      await expect(anyDialog(page)).toHaveCount(0)
      expect(ms).toBeGreaterThan(TOAST_TIMEOUT_MS - 1_000)
      expect(ms).toBeLessThan(TOAST_TIMEOUT_MS + 2_000)
    },
  )
})

test.describe('login and registration', () => {
  test('a refused login is an alert and leaves no session', async ({ page, consoleErrors }) => {
    consoleErrors.expect(/status of (422|401)/)
    await page.route('**/api/auth/register', giving({ status: 422, body: refusal({ report: true }) }))
    await page.goto('/register')
    const registration = page.getByRole('dialog', { name: 'Đăng ký tài khoản' })
    await sendRegistration(page, freshUsername())
    await expect(registration.getByRole('alert')).toHaveText(SENTENCE)

    // The login succeeds, but the player behind the token cannot be read: the token goes again.
    await page.route('**/api/auth/login', giving({ status: 200, body: { access_token: 'khong-con-song' } }))
    await registration.getByRole('button', { name: 'Đăng nhập' }).click()
    const login = loginDialog(page)
    await sendLogin(login, { username: 'khongcoai', password: 'matkhau-thu' })
    await expect(login.getByRole('alert')).toBeVisible()
    expect(await storedSession(page)).toBeNull()
    await expect(anyDialog(page)).toHaveCount(0)
  })

  test(
    'a login that comes with a warning shows it under its own title',
    { tag: ['@long', '@long'] },
    async ({ page, newcomer }) => {
      const body = { access_token: newcomer.token, message: 'Mật khẩu của bạn đã cũ' }
      await page.route('**/api/auth/login', giving({ status: 200, body }))
      await page.goto('/login')
      const login = loginDialog(page)
      await sendLogin(login, newcomer)
      await expectDialog(page, 'Cảnh báo', ['Mật khẩu của bạn đã cũ'])
      await expectSignedIn(page, newcomer.username)
    },
  )

  test('each rule of the login shows its own message', { tag: '@long' }, async ({ page }) => {
    await page.goto('/login')
    for (const [label, value, message] of [
      ['Tên đăng nhập', 'abcd', 'Tối thiểu 5 ký tự'],
      ['Tên đăng nhập', 'a'.repeat(21), 'Tối đa 20 ký tự'],
      ['Mật khẩu', '', 'Không được bỏ trống'],
      ['Mật khẩu', '1', 'Tối thiểu 2 ký tự'],
      ['Mật khẩu', '1'.repeat(21), 'Tối đa 20 ký tự'],
    ] as const) {
      const field = loginDialog(page).getByLabel(label)
      await field.fill(value)
      await field.blur()
      await expect(field).toHaveAccessibleDescription(message)
    }
  })

  test('each rule of the registration shows its own message', { tag: '@long' }, async ({ page }) => {
    await page.goto('/register')
    const dialog = page.getByRole('dialog', { name: 'Đăng ký tài khoản' })
    for (const [label, value, message] of [
      ['Tên đăng nhập', 'abcde', 'Tối thiểu 6 ký tự'],
      ['Tên đăng nhập', 'a'.repeat(21), 'Tối đa 20 ký tự'],
      ['Tên đăng nhập', 'ninja_01', 'Tên đăng nhập không được chứa ký tự đặc biệt'],
      ['Tên đăng nhập', '', 'Không được bỏ trống'],
      ['Số điện thoại', '0212345678', 'Số điện thoại không hợp lệ'],
      ['Email', 'khong-phai-email', 'Email không hợp lệ'],
      ['Mật khẩu', '12345', 'Tối thiểu 6 ký tự'],
      ['Nhập lại mật khẩu', 'khac-hoan-toan', 'Mật khẩu nhập lại không chính xác'],
    ] as const) {
      const field = dialog.getByRole('textbox', { name: new RegExp(`^${label}`) })
      await field.fill(value)
      await field.blur()
      await expect(field).toHaveAccessibleDescription(new RegExp(message))
      await field.fill('')
    }
  })
})

test('settings are requested at each visit, although the page contains them', async ({ page }) => {
  for (let visit = 0; visit < 2; visit++) {
    const requested = page.waitForRequest('**/api/settings')
    await page.goto('/home')
    await requested
  }
})

test('settings that do not load are reported by a toast', async ({ page, consoleErrors }) => {
  consoleErrors.expect(/status of 500/)
  await page.route('**/api/settings', giving({ status: 500 }))
  await page.goto('/home')
  await expect(toasts(page)).toHaveText(DEFAULT_FAILURE)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

for (const [path, choice, incomplete] of [
  ['/exchange', /20,000/, 'Vui lòng chọn nhân vật và mệnh giá'],
  ['/gift', /19,999/, 'Vui lòng chọn nhân vật và gói quà tân thủ'],
] as const) {
  const tag = path === '/gift' ? '@long' : []
  test(
    `${path} names what is missing: a choice, coins, or any character`,
    { tag },
    async ({ page, request }) => {
      const poor = seedPlayers.find(({ username }) => username === 'minhchau')!
      await signIn(page, await loginByCall(request, poor))
      await page.goto(path)
      await expect(page.getByText(incomplete)).toBeVisible()
      await page.getByRole('radio', { name: /anhsaodem/ }).check()
      await page.getByRole('radio', { name: choice }).check()
      const left = path === '/gift' ? '14,999' : '15,000'
      await expect(page.getByText(`Bạn còn thiếu: ${left}, vui lòng nạp thêm tiền`)).toBeVisible()
      const confirm = page.getByRole('button', { name: /^(Đổi lượng|Mua gói quà)$/ })
      await expect(confirm).toBeDisabled()

      const token = await loginByCall(
        request,
        seedPlayers.find(({ characters }) => characters.length === 0)!,
      )
      await page.evaluate((stored) => {
        localStorage.setItem('auth-react-v', JSON.stringify({ access_token: stored }))
      }, token)
      await page.reload()
      await expect(page.getByText('Tài khoản chưa có nhân vật nào').first()).toBeVisible()
      await expect(confirm).toBeDisabled()
    },
  )
}

test('the page for what does not exist has its text', async ({ page, consoleErrors }) => {
  consoleErrors.expect(/status of 404/)
  const answer = await page.goto('/404')
  expect(answer?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Trang bạn đang tìm không tồn tại')
  await expect(page).toHaveTitle(/^Trang bạn đang tìm không tồn tại/)
})
