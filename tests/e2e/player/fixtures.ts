import { test as base, expect, type APIRequestContext, type Page } from '@playwright/test'

type Console = {
  /** An error of the console that this test brings about on purpose (a refused call is one to Chromium). */
  expect(pattern: RegExp): void
}

/** The player's portal in a browser. An error in the console that no test expected fails the test. */
export const test = base.extend<{ consoleErrors: Console }>({
  baseURL: async ({ browserName: _browser }, use) => {
    await use(process.env.PORTAL_URL)
  },
  consoleErrors: [
    async ({ context }, use) => {
      const expected: RegExp[] = []
      const seen: string[] = []
      context.on('console', (message) => {
        if (message.type() === 'error') seen.push(`${message.text()} (${message.location().url})`)
      })
      context.on('weberror', (error) => seen.push(String(error.error())))
      await use({ expect: (pattern) => expected.push(pattern) })
      expect(seen.filter((text) => !expected.some((pattern) => pattern.test(text)))).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

/** Letters and digits, as registration wants them, and never twice the same. */
export function freshUsername(): string {
  return `thu${Date.now().toString(36)}${Math.floor(Math.random() * 1296).toString(36)}`
}

export function freshPhone(): string {
  return `03${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`
}

export const PASSWORD = 'matkhau-thu-7'

/** A new account, made by the call that the form makes. */
export async function registerPlayer(
  request: APIRequestContext,
): Promise<{ username: string; token: string }> {
  const username = freshUsername()
  const answer = await request.post('/api/auth/register', {
    data: { username, name: username, password: PASSWORD, phone: freshPhone(), server_id: '1' },
  })
  expect(answer.status(), await answer.text()).toBe(201)
  const { access_token } = (await answer.json()) as { access_token: string }
  return { username, token: access_token }
}

export async function loginByCall(
  request: APIRequestContext,
  { username, password }: { username: string; password: string },
): Promise<string> {
  const answer = await request.post('/api/auth/login', { data: { username, password } })
  expect(answer.status(), await answer.text()).toBe(200)
  return ((await answer.json()) as { access_token: string }).access_token
}

/** Signed in from the first page on, as after an earlier visit. Only once: a session that ends stays ended. */
export async function signIn(page: Page, token: string): Promise<void> {
  await page.addInitScript((stored) => {
    if (sessionStorage.getItem('signed-in-once')) return
    sessionStorage.setItem('signed-in-once', '1')
    localStorage.setItem('auth-react-v', JSON.stringify({ access_token: stored }))
  }, token)
}

/** The header knows who is there. */
export const expectSignedIn = (page: Page, username: string) =>
  expect(page.getByRole('banner').getByText(username, { exact: true })).toBeVisible()

export const balanceLink = (page: Page) => page.getByRole('link', { name: /^Số dư:/ })

/** The lines of a statement as they stand on this screen: rows of a table, or blocks on a phone. */
export function statementLines(page: Page, isMobile: boolean | undefined) {
  return isMobile ? page.locator('main ul.md\\:hidden > li') : page.locator('main table tbody tr')
}
