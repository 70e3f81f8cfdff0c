import type { Browser, Locator, Page } from '@playwright/test'
import { appCode } from '#tests/support/players.ts'
import type { Role } from '#contract/operator/roles.ts'
import { startPortalProcess } from '#tests/support/processes.ts'
import { expect, test as base } from '../player/fixtures.ts'
import { aProvedStaffMember, aStaffMember, leaveOwnersBehind, type StaffMember } from '../player/staff.ts'

type MakeStaff = (role: Role) => Promise<StaffMember>

/** With new operators of the worker's portal. */
export const test = base.extend<{ aStaff: MakeStaff; aProvedStaff: MakeStaff; secondWeb: string }>({
  aStaff: async ({ request, portal }, use) => {
    await leaveOwnersBehind(portal.dataDir)
    await use((role) => aStaffMember(request, portal.dataDir, role))
  },
  aProvedStaff: async ({ request, portal }, use) => {
    await leaveOwnersBehind(portal.dataDir)
    await use((role) => aProvedStaffMember(request, portal.dataDir, role))
  },
  /** The address of another web process on the portal's database. */
  secondWeb: [
    async ({ portal }, use) => {
      const second = await startPortalProcess({
        dataDir: portal.dataDir,
        environment: { DEMO: '1', LOG_LEVEL: 'warn' },
        arguments: ['--web'],
      })
      await use(second.url)
      await second.end()
    },
    { timeout: 120_000 },
  ],
})

/** Signed in to the console from the first page on. */
export async function openConsole(
  page: Page,
  { token }: Pick<StaffMember, 'token'>,
  path = '',
): Promise<void> {
  await page.addInitScript((stored) => sessionStorage.setItem('console-session', stored), token)
  await page.goto(`/admin${path}`)
}

/** Types the name, the password and a code as a person does. The app's next code is left for a step-up. */
export async function signInToConsole(
  page: Page,
  { username, password, secret }: StaffMember,
  code = appCode(secret),
): Promise<void> {
  await page.goto('/admin')
  await page.getByLabel('Tên đăng nhập').fill(username)
  await page.getByLabel('Mật khẩu').fill(password)
  await page.getByLabel('Mã xác thực hai lớp').fill(code)
  await page.getByRole('button', { name: 'Đăng nhập' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Tổng quan' })).toBeVisible()
}

/** The console of somebody else, at a browser of their own. */
export async function consoleOf(browser: Browser, baseURL: string, staff: StaffMember): Promise<Page> {
  const page = await (await browser.newContext({ baseURL, locale: 'vi-VN' })).newPage()
  await signInToConsole(page, staff)
  return page
}

/** Opens a screen by the menu, which is behind a button on a phone. */
export async function choose(page: Page, title: string): Promise<void> {
  const opener = page.getByRole('button', { name: 'Mở danh mục' })
  if (await opener.isVisible()) await opener.click()
  await (await entryOf(page, title)).click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}

/** The entry of an open menu, whose group is unfolded. */
export async function entryOf(page: Page, title: string): Promise<Locator> {
  const menu = page.getByRole('navigation', { name: 'Danh mục' })
  const name = new RegExp(`^${title}`)
  const folded = menu.locator('section', { has: page.getByRole('link', { name, includeHidden: true }) })
  const opener = folded.getByRole('button', { expanded: false })
  if (await opener.isVisible()) await opener.click()
  return menu.getByRole('link', { name })
}

/** Unfolds the filters of a list, which a desktop shows. */
export async function openFilters(page: Page): Promise<void> {
  const filters = page.getByRole('main').getByRole('search')
  await filters.waitFor()
  const opener = filters.getByRole('button', { name: /^Lọc/, expanded: false })
  if (await opener.isVisible()) await opener.click()
}

/** Enters the app's next code where the console requires fresh proof. */
export async function prove(page: Page, { secret }: StaffMember): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Xác nhận lại' })
  await dialog.getByLabel('Mã xác thực hai lớp').fill(appCode(secret, 1))
  await dialog.getByRole('button', { name: 'Xác nhận' }).click()
}

/** Gives the reason of the open dialog and sends it by the button that starts with `button`. */
export async function giveReason(page: Page, button: string, reason = 'Kiểm thử trình duyệt'): Promise<void> {
  const dialog = page.getByRole('dialog').filter({ has: page.getByLabel('Lý do') })
  await dialog.getByLabel('Lý do').fill(reason)
  await dialog.locator('button[type=submit]', { hasText: button }).click()
}

/** Every short message from now on, the first first. */
export async function recordToasts(page: Page): Promise<() => string[]> {
  const observed: string[] = []
  await page.exposeFunction('toastShown', (text: string) => observed.push(text))
  await page.evaluate(() => {
    const region = document.querySelector('.toast-region')
    if (!region) throw new Error('the console has no region for short messages')
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes)
          (globalThis as unknown as { toastShown(text: string): void }).toastShown(node.textContent ?? '')
    }).observe(region, { childList: true, subtree: true })
  })
  return () => observed
}

/** The screen is there with its rows, and nothing of it is still being loaded. */
export async function expectLoaded(page: Page): Promise<void> {
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(main.getByText('Đang tải')).toHaveCount(0)
  await expect(main.locator('[data-empty]'), 'rows for it go to console-rows.ts').toHaveCount(0)
}
