import { everyNth } from '#tests/support/test-run.ts'
import type { Page } from '@playwright/test'
import { demoLogin } from '#seeds/players.ts'
import { answering, follow } from '#tests/support/page-states/page-state.ts'
import { expect, loginByCall, signIn, test, expectSignedIn, sendLogin } from './fixtures.ts'
import { settled } from './measures.ts'

const loginDialog = (page: Page) => page.getByRole('dialog', { name: 'Đăng nhập' })
const openLogin = (page: Page) => page.getByRole('banner').getByRole('link', { name: 'Đăng nhập' }).click()

test.describe('the login', () => {
  test(
    'shows what is wrong with a field once it was touched, not before',
    { tag: '@phone' },
    async ({ page }) => {
      await page.goto('/home')
      await openLogin(page)
      const dialog = loginDialog(page)
      const username = dialog.getByLabel('Tên đăng nhập')
      await expect(username).toBeFocused()
      await expect(dialog.getByRole('alert')).toHaveCount(0)
      await username.fill('abc')
      await expect(dialog.getByRole('alert')).toHaveCount(0)
      await username.blur()
      await expect(dialog.getByText('Tối thiểu 5 ký tự')).toBeVisible()
      await username.fill('')
      await expect(dialog.getByText('Không được bỏ trống')).toBeVisible()
      await username.fill('abcde')
      await expect(dialog.getByRole('alert')).toHaveCount(0)
    },
  )

  test('works with the keyboard alone', { tag: '@desktop' }, async ({ page, newcomer }) => {
    const { username, password } = newcomer
    await page.goto('/home')
    await tabTo(page, 'Đăng nhập')
    await page.keyboard.press('Enter')
    await expect(loginDialog(page).getByLabel('Tên đăng nhập')).toBeFocused()
    await page.keyboard.type(username)
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await expectSignedIn(page, username)
    await expect(loginDialog(page)).toBeHidden()
  })

  test('brings a visitor to the requested page', { tag: '@phone' }, async ({ page, newcomer }) => {
    const { username, password } = newcomer
    await page.goto('/user/transactions?type=recharge')
    const dialog = loginDialog(page)
    await sendLogin(dialog, { username, password })
    await expect(page).toHaveURL(/\/user\/transactions\?type=recharge$/)
    await expect(page.getByLabel('Loại giao dịch')).toHaveValue('recharge')
  })
})

async function tabTo(page: Page, name: string): Promise<void> {
  for (let step = 0; step < 20; step += 1) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate(() => document.activeElement?.textContent)) === name) return
  }
  throw new Error(`20 steps with the Tab key do not lead to "${name}"`)
}

test.describe('a session', { tag: '@phone' }, () => {
  test('that ends is reported and leads to login', async ({ page, request, newcomer, consoleErrors }) => {
    consoleErrors.expect(/status of 401/)
    const { username } = newcomer
    const token = await loginByCall(request, newcomer)
    await signIn(page, token)
    await page.goto('/home')
    await expectSignedIn(page, username)
    // No call of this page is refused: the dialog that says so would lie over the link.
    await settled(page)
    const headers = { authorization: `Bearer ${token}` }
    expect((await request.post('/api/auth/logout', { headers })).status()).toBe(204)

    await page.getByRole('navigation', { name: 'Chính' }).getByRole('link', { name: 'Nạp TCoin' }).click()
    await expect(page.getByText('Phiên đăng nhập đã hết hạn, vui lòng đăng nhập lại')).toBeVisible()
    await expect(loginDialog(page)).toBeVisible()
    await expect(page).toHaveURL(/\/home$/)
    expect(await page.evaluate(() => localStorage.getItem('auth-react-v'))).toBeNull()
  })

  test(
    'that has already expired is cleared silently on an open page',
    { tag: '@long' },
    async ({ page, consoleErrors }) => {
      consoleErrors.expect(/status of 401/)
      await signIn(page, 'khong-con-song')
      await page.goto('/home')
      await expect(page.getByRole('banner').getByRole('link', { name: 'Đăng nhập' })).toBeVisible()
      await expect(page.getByText('Phiên đăng nhập đã hết hạn')).toHaveCount(0)
      await expect(page).toHaveURL(/\/home$/)
    },
  )

  const lastCalls = {
    'the verification': '**/api/auth/verify',
    'the read of the page': '**/api/recharge/orders?*',
  }
  for (const [last, calls] of everyNth(Object.entries(lastCalls), 2)) {
    test(`that has expired is reported when ${last} is last`, async ({ page, consoleErrors }) => {
      consoleErrors.expect(/status of 401/)
      await signIn(page, 'khong-con-song')
      const isFirstAnswered = page.waitForResponse(
        (response) =>
          response.status() === 401 &&
          !response.url().includes(last === 'the verification' ? 'verify' : 'orders'),
      )
      await page.route(calls, async (route) => {
        await isFirstAnswered
        await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)))
        await route.continue()
      })
      await page.goto('/recharge')
      await expect(page.getByText('Phiên đăng nhập đã hết hạn, vui lòng đăng nhập lại')).toHaveCount(1)
      await expect(loginDialog(page)).toBeVisible()
      await expect(page).toHaveURL(/\/home$/)
      expect(await page.evaluate(() => localStorage.getItem('auth-react-v'))).toBeNull()
    })
  }
})

test.describe('what does not exist', { tag: '@phone' }, () => {
  test('leads a visitor to the login', async ({ page, consoleErrors }) => {
    consoleErrors.expect(/status of 404/)
    const answer = await page.goto('/khong-co-trang-nay')
    expect(answer?.status()).toBe(404)
    await expect(loginDialog(page)).toBeVisible()
    await expect(page).toHaveURL(/\/home$/)
  })

  test('leads a player to the 404 page', async ({ page, newcomer, consoleErrors }) => {
    consoleErrors.expect(/status of 404/)
    await signIn(page, newcomer.token)
    await page.goto('/khong-co-trang-nay')
    await expect(page).toHaveURL(/\/404$/)
    await expect(page.getByText('Trang bạn đang tìm không tồn tại')).toBeVisible()
  })

  test('keeps its address when it is a post', async ({ page, consoleErrors }) => {
    consoleErrors.expect(/status of 404/)
    const answer = await page.goto('/post/999999999')
    expect(answer?.status()).toBe(404)
    await expect(page.getByText('Trang bạn đang tìm không tồn tại')).toBeVisible()
    await expect(page).toHaveURL(/\/post\/999999999$/)
  })

  const titles = [
    [404, 'Trang bạn đang tìm không tồn tại'],
    [503, 'Có lỗi xảy ra, vui lòng thử lại'],
  ] as const
  for (const [status, title] of everyNth(titles, 2)) {
    test(`is in the title after calls with ${status}`, async ({ page, consoleErrors }) => {
      consoleErrors.expect(new RegExp(`status of ${status}`))
      await answering(/api\/(posts|categories)\/\d+$/, status, {})(page)
      for (const kind of ['post', 'category']) {
        await page.goto('/home')
        await follow(`/${kind}/`)(page)
        await expect(page.getByRole('main').getByText(title)).toBeVisible()
        await expect(page).toHaveTitle(new RegExp(`^${title} — `))
      }
    })
  }
})

test(
  'a player who is signed in is sent home from the login page',
  { tag: '@phone' },
  async ({ page, request }) => {
    await signIn(page, await loginByCall(request, demoLogin))
    await page.goto('/login')
    await expect(page).toHaveURL(/\/home$/)
    await expectSignedIn(page, demoLogin.username)
    await expect(loginDialog(page)).toHaveCount(0)
  },
)
