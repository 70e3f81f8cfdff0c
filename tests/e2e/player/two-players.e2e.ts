import type { Page, Request } from '@playwright/test'
import {
  expect,
  expectSignedIn,
  freshPhone,
  loginByCall,
  registerTrader,
  sendLogin,
  signIn,
  test,
  whoIs,
  type Player,
} from './fixtures.ts'

// Any worker may take the next of these.
test.describe.configure({ mode: 'parallel' })

const logIn = async (page: Page, player: Player) => {
  await page.goto('/login')
  await sendLogin(page.getByRole('dialog', { name: 'Đăng nhập' }), player)
  await expectSignedIn(page, player.username)
}

const logOut = (page: Page) => page.evaluate(() => localStorage.removeItem('auth-react-v'))

async function buy(page: Page): Promise<void> {
  await page
    .getByRole('group', { name: /^Nhân vật/ })
    .getByRole('radio')
    .first()
    .check()
  await page.getByRole('radio', { name: /10,000/ }).check()
  await page.getByRole('main').getByRole('button', { name: 'Đổi lượng' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Đổi lượng' }).click()
}

const bearer = (request: Request) => request.headers()['authorization']?.replace('Bearer ', '')

test('a purchase whose line broke stays its player’s, whoever signs in at another tab', async ({
  page,
  context,
  request,
  consoleErrors,
}) => {
  consoleErrors.expect(/ERR_CONNECTION_RESET/)
  const [first, second] = [await registerTrader(request, 50_000), await registerTrader(request, 70_000)]
  const sent: { key: string | undefined; token: string | undefined }[] = []
  let isCut = true
  await context.route('**/api/exchange/store', async (route) => {
    const { 'idempotency-key': key } = route.request().headers()
    sent.push({ key, token: bearer(route.request()) })
    if (!isCut) return route.continue()
    // The first time the server has acted.
    if (sent.length === 1) await route.fetch()
    return route.abort('connectionreset')
  })
  await signIn(page, first.token)
  await page.goto('/exchange')
  await buy(page)
  await expect(page.getByText('Đơn của bạn an toàn')).toBeVisible()

  const other = await context.newPage()
  await other.goto('/home')
  await logOut(other)
  await logIn(other, second)
  await page.bringToFront()
  await expectSignedIn(page, second.username)
  await expect(page.getByRole('alertdialog')).toContainText('tài khoản trước')
  await page.getByRole('alertdialog').getByRole('button').last().click()
  isCut = false
  const ofFirst = sent.length
  // Nothing of it is left on the page of the other player.
  await expect(page.getByText('Đơn của bạn an toàn')).toHaveCount(0)

  await logOut(page)
  await logIn(page, first)
  await expect(page).toHaveURL(/\/user\/deliveries\/[0-9a-f-]{36}$/)
  expect(sent.length).toBe(ofFirst + 1)
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
  const tokensOfSecond = await loginByCall(request, second)
  expect(sent.map(({ token }) => token)).not.toContain(tokensOfSecond)
  expect((await whoIs(request, first.token)).balance).toBe(40_000)
  expect((await whoIs(request, tokensOfSecond)).balance).toBe(70_000)
})

test('another tab’s sign-in is seen before the next act, though its event has not come', async ({
  page,
  context,
  request,
}) => {
  const [first, second] = [await registerTrader(request, 50_000), await registerTrader(request, 70_000)]
  await page.addInitScript(() => addEventListener('storage', (event) => event.stopImmediatePropagation()))
  await signIn(page, first.token)
  await page.goto('/exchange')
  await expectSignedIn(page, first.username)
  const other = await context.newPage()
  await other.goto('/home')
  await logOut(other)
  await logIn(other, second)
  const sent: string[] = []
  page.on('request', (call) => {
    if (call.url().endsWith('/api/exchange/store')) sent.push(call.url())
  })
  await buy(page)
  await expect(page.getByRole('alertdialog')).toContainText('chưa được gửi')
  expect(sent).toEqual([])
  await page.getByRole('alertdialog').getByRole('button').last().click()
  await expectSignedIn(page, second.username)
})

test('an older answer does not bring back an older balance, nor an older count of notices', async ({
  page,
  request,
}) => {
  const player = await registerTrader(request, 50_000)
  await signIn(page, player.token)
  await page.goto('/exchange')
  await expectSignedIn(page, player.username)
  // One read of the player is held while a purchase changes the balance.
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  let isFirst = true
  await page.route('**/api/auth/verify', async (route) => {
    if (!isFirst) return route.continue()
    isFirst = false
    const answer = await route.fetch()
    await held
    await route.fulfill({ response: answer })
  })
  await page.evaluate(() => dispatchEvent(new StorageEvent('storage', { key: 'balance-changed' })))
  await expect.poll(() => isFirst).toBe(false)
  await buy(page)
  const balance = page.getByRole('link', { name: 'Số dư: 40,000 TCoin' })
  await expect(balance).toBeAttached()
  const answered = page.waitForResponse('**/api/auth/verify')
  letGo()
  await answered
  // A call that is made after it has been taken in the meantime.
  await page.evaluate(() => fetch('/api/settings').then((answer) => answer.text()))
  await expect(balance).toBeAttached()
})

test(
  'what was typed into a registration is gone when somebody else was signed in meanwhile',
  { tag: '@long' },
  async ({ page, context, newcomer, consoleErrors }) => {
    // What the first tab was reading when the session ended.
    consoleErrors.expect(/status of 401/)
    const phone = freshPhone()
    await page.goto('/register')
    const form = page.getByRole('dialog', { name: 'Đăng ký tài khoản' })
    await form.getByLabel('Số điện thoại').fill(phone)
    await form.getByRole('button', { name: 'Đóng' }).click()
    await expect(form).toHaveCount(0)
    const open = async () => {
      await page.getByRole('banner').getByRole('link', { name: 'Đăng ký' }).click()
    }
    await open()
    // Closed by mistake, it is there again.
    await expect(form.getByLabel('Số điện thoại')).toHaveValue(phone)
    await form.getByRole('button', { name: 'Đóng' }).click()

    const other = await context.newPage()
    await logIn(other, newcomer)
    await expectSignedIn(page, newcomer.username)
    await logOut(other)
    await page.bringToFront()
    await open()
    await expect(form.getByLabel('Số điện thoại')).toHaveValue('')
  },
)
