import { rm } from 'node:fs/promises'
import jsQr from 'jsqr'
import { PNG } from 'pngjs'
import { anAddress } from '#tests/support/players.ts'
import { Callers } from '#tests/support/page-states/page-state.ts'
import {
  test as base,
  expect,
  type APIRequestContext,
  type ConsoleMessage,
  type Locator,
  type Page,
  type WebError,
} from '@playwright/test'
import { mailEnvironment, startMailServer, type MailServer } from '#tests/support/mail-server.ts'
import { startPortalProcess, type PortalProcess } from '#tests/support/processes.ts'
import { copyStartedDemo } from '../global-setup.ts'

type Console = {
  /** An error of the console that this test brings about on purpose (a refused call is one to Chromium). */
  expect(pattern: RegExp): void
}

export type Player = { username: string; password: string; token: string }

type Residents = {
  /** One demo portal per worker: process, embedded database and embedded game. Its address is PORTAL_URL. */
  portal: PortalProcess
  /** Where that portal sends its mail. */
  mail: MailServer
  /** Registered and nothing more: no TCoin, not activated. Tests may sign in as they like, but buy nothing. */
  newcomer: Player
  /** Activated, with TCoin to spend; tests reckon from the balance they find. */
  trader: Player
  /** The seeded players, each logged in once. */
  callers: Callers
}

const TRADER_COINS = 400_000

/** What Chromium 109 says of a newer attribute and a newer header. */
export const OF_OLD_ENGINES =
  /^Found a 'popover' attribute|^Error with Permissions-Policy header: Origin trial/

/**
 * The player's portal in a browser. An error in the console that no test expected fails the test. Players are shared
 * where a test can live with it.
 */
export const test = base.extend<
  { consoleErrors: Console; isStranger: boolean; hasLiveBell: boolean },
  Residents
>({
  /** Whether the portal has never greeted this browser before; the greeting then comes over the home page. */
  isStranger: [false, { option: true }],
  /** Whether the bell's stream is open: a page that has one is never idle, and most tests wait until theirs is. */
  hasLiveBell: [false, { option: true }],
  context: async ({ context, isStranger, hasLiveBell }, use) => {
    if (!hasLiveBell) {
      await context.addInitScript(() => {
        const real = fetch
        window.fetch = (input, init) =>
          typeof input === 'string' && input.endsWith('/api/notices/events')
            ? Promise.resolve(new Response(null, { status: 204 }))
            : real(input, init)
      })
    }
    if (!isStranger) {
      await context.addInitScript(() => {
        // The blank page that every tab begins with has no storage.
        if (location.protocol !== 'about:') localStorage.setItem('lastSeenHello', String(Date.now()))
      })
    }
    await use(context)
    // A changed answer may still be on its way when a test ends.
    for (const routed of [context, ...context.pages()]) await routed.unrouteAll({ behavior: 'ignoreErrors' })
    // Left for the next test otherwise.
    await context.clearPermissions()
  },
  // Nobody reloads a page within the moment in which a closed dialog takes its entry of the history back, which ends a navigation.
  page: async ({ page }, use) => {
    const { goto, reload } = page
    page.goto = async (...given) => {
      await expectNoStepBack(page)
      return goto.apply(page, given)
    }
    page.reload = async (...given) => {
      await expectNoStepBack(page)
      return reload.apply(page, given)
    }
    await use(page)
    // The next test may have the same page.
    Object.assign(page, { goto, reload })
  },
  mail: [
    async ({ browserName: _browser }, use) => {
      const mail = await startMailServer()
      await use(mail)
      await mail.close()
    },
    { scope: 'worker' },
  ],
  portal: [
    async ({ mail }, use) => {
      const dataDir = await copyStartedDemo()
      const portal = await startPortalProcess({
        dataDir,
        // Registrations are limited by address: tests say another one for each.
        environment: { DEMO: '1', LOG_LEVEL: 'warn', TRUST_PROXY: '127.0.0.1', ...mailEnvironment(mail) },
      })
      process.env.PORTAL_URL = portal.url
      process.env.PORTAL_DATA_DIR = dataDir
      await use(portal)
      await portal.end()
      await rm(dataDir, { recursive: true, force: true })
    },
    { scope: 'worker', auto: true, timeout: 120_000 },
  ],
  newcomer: [
    async ({ playwright, portal }, use) => {
      const request = await playwright.request.newContext({ baseURL: portal.url })
      await use(await registerPlayer(request))
      await request.dispose()
    },
    { scope: 'worker' },
  ],
  trader: [
    async ({ playwright, portal }, use) => {
      const request = await playwright.request.newContext({ baseURL: portal.url })
      await use(await registerTrader(request, TRADER_COINS))
      await request.dispose()
    },
    { scope: 'worker' },
  ],
  callers: [
    async ({ playwright, portal }, use) => {
      const request = await playwright.request.newContext({ baseURL: portal.url })
      await use(new Callers(request))
      await request.dispose()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ portal }, use) => {
    await use(portal.url)
  },
  consoleErrors: [
    async ({ context }, use) => {
      const expected: RegExp[] = []
      const observed: string[] = []
      const addMessage = (message: ConsoleMessage) => {
        if (OF_OLD_ENGINES.test(message.text())) return
        const isOfConsole = URL.parse(message.page()?.url() ?? '')?.pathname.startsWith('/admin') ?? false
        if (message.type() === 'error' || (isOfConsole && message.type() === 'warning'))
          observed.push(`${message.text()} (${message.location().url})`)
      }
      const addError = (error: WebError) => observed.push(String(error.error()))
      context.on('console', addMessage)
      context.on('weberror', addError)
      await use({ expect: (pattern) => expected.push(pattern) })
      context.off('console', addMessage)
      context.off('weberror', addError)
      expect(observed.filter((text) => !expected.some((pattern) => pattern.test(text)))).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

/** A unique name of letters and digits, as registration requires. */
export function freshUsername(): string {
  // Digits only: letters between digits can be an English word, which no page may show.
  return `thu${String(Date.now()).slice(-9)}${String(Math.floor(Math.random() * 1_000)).padStart(3, '0')}`
}

export function freshPhone(): string {
  return `03${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`
}

export const PASSWORD = 'matkhau-thu-7'

/** A new account, made by the call that the form makes. */
export async function registerPlayer(request: APIRequestContext): Promise<Player> {
  const username = freshUsername()
  const answer = await request.post('/api/auth/register', {
    headers: { 'x-forwarded-for': anAddress() },
    data: { username, name: username, password: PASSWORD, phone: freshPhone(), server_id: '1' },
  })
  expect(answer.status(), await answer.text()).toBe(201)
  const { access_token } = (await answer.json()) as { access_token: string }
  return { username, password: PASSWORD, token: access_token }
}

/** A new player who pays through the demo's bank and activates; what is left has the given size. */
export async function registerTrader(request: APIRequestContext, coins: number): Promise<Player> {
  const player = await registerPlayer(request)
  const headers = { authorization: `Bearer ${player.token}` }
  const settings = (await (await request.get('/api/settings')).json()) as { active_fee: string }
  const amount = coins + Number(settings.active_fee)
  await pay(request, player.token, { code: (await order(request, player.token, { amount })).code })
  const activated = await request.post('/api/user/active', { headers })
  expect(activated.status(), await activated.text()).toBe(200)
  return player
}

/** A new recharge order. */
export async function order(
  request: APIRequestContext,
  token: string,
  { channel = 2, amount }: { channel?: number; amount: number },
): Promise<{ code: string; account_number: string }> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await request.post('/api/recharge/orders', { headers, data: { channel, amount } })
  expect(answer.status(), await answer.text()).toBe(201)
  return (await answer.json()) as { code: string; account_number: string }
}

/** Pays an order at the demo's bank; its amount, unless another one is given. */
export async function pay(
  request: APIRequestContext,
  token: string,
  data: { code: string; amount?: number },
): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const paid = await request.post('/api/sandbox/pay', { headers, data })
  expect(paid.status(), await paid.text()).toBe(200)
}

/** Fills in the open registration form and sends it. */
export async function sendRegistration(page: Page, username: string): Promise<void> {
  const form = page.getByRole('dialog', { name: 'Đăng ký tài khoản' })
  await form.getByLabel('Tên đăng nhập').fill(username)
  await form.getByLabel('Số điện thoại').fill(freshPhone())
  await form.getByLabel('Mật khẩu', { exact: true }).fill(PASSWORD)
  await form.getByLabel('Nhập lại mật khẩu').fill(PASSWORD)
  await form.getByRole('button', { name: 'Đăng ký' }).click()
}

/** Fills in a login form and sends it. */
export async function sendLogin(
  form: Locator,
  { username, password }: Pick<Player, 'username' | 'password'>,
): Promise<void> {
  await form.getByLabel('Tên đăng nhập').fill(username)
  await form.getByLabel('Mật khẩu', { exact: true }).fill(password)
  await form.getByRole('button', { name: 'Đăng nhập', exact: true }).click()
}

export async function loginByCall(
  request: APIRequestContext,
  { username, password }: Pick<Player, 'username' | 'password'>,
): Promise<string> {
  const answer = await request.post('/api/auth/login', { data: { username, password } })
  expect(answer.status(), await answer.text()).toBe(200)
  return ((await answer.json()) as { access_token: string }).access_token
}

export async function whoIs(request: APIRequestContext, token: string) {
  const answer = await request.post('/api/auth/verify', { data: { access_token: token } })
  return (await answer.json()) as { id: string; balance: number; activated: boolean }
}

/** Signed in from the first page on, as after an earlier visit. Only once: a session that ends stays ended. */
export async function signIn(page: Page, token: string): Promise<void> {
  await page.addInitScript((stored) => {
    if (sessionStorage.getItem('signed-in-once')) return
    sessionStorage.setItem('signed-in-once', '1')
    localStorage.setItem('auth-react-v', JSON.stringify({ access_token: stored }))
  }, token)
}

/** The header knows who is there: on a phone it shows the balance, and the name in its menu. */
export async function expectSignedIn(page: Page, username: string): Promise<void> {
  await expect(balanceLink(page)).toBeVisible()
  await expect(page.getByRole('banner').getByText(username, { exact: true }).first()).toBeAttached()
}

/** What was closed has taken its entry of the history back: until then its step would end a navigation that begins. */
export async function expectNoStepBack(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const opened = [...document.querySelectorAll('dialog[open]:not([data-leaving]), [popover]')]
    return (
      !(history.state as { dialogs?: number } | null)?.dialogs ||
      opened.some((one) => one.getClientRects().length > 0)
    )
  })
}

export const balanceLink = (page: Page) => page.getByRole('link', { name: /^Số dư:/ })

/** The lines of a statement on this screen: rows of a table, or blocks on a phone. */
export function statementLines(page: Page, isMobile: boolean | undefined) {
  return isMobile ? page.locator('main .md\\:hidden li') : page.locator('main table tbody tr')
}

/** What a phone's camera reads out of a picture; empty when nothing can be read. */
export function readQr(picture: Buffer): string {
  const { data, width, height } = PNG.sync.read(picture)
  return jsQr(new Uint8ClampedArray(data), width, height)?.data ?? ''
}
