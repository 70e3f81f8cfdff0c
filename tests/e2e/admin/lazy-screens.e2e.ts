import type { Page } from '@playwright/test'
import { type Screen, screens } from '#admin/screens.ts'
import { delay, lazyFiles, withhold } from '#tests/support/lazy-files.ts'
import { expect } from '../player/fixtures.ts'
import { openConsole, test } from './staff-page.ts'

const lazy = lazyFiles('admin')

const failure = (page: Page) => page.getByRole('heading', { level: 1, name: 'Trang không mở được' })
const retry = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Thử lại' })

/** By the router, as a step back does it. */
const goOn = (page: Page, address: string) =>
  page.evaluate((to) => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  }, address)

/** None is that of the first document. All of them, and each file alone: `lost-files.e2e.ts`. */
const SOME_SCREENS = Object.values<Screen>(screens).filter((_, index) => index % 20 === 1)

test('a screen whose files do not arrive says so in its frame, and comes with the next tap', async ({
  page,
  aStaff,
  consoleErrors,
}) => {
  consoleErrors.expect(/ERR_CONNECTION_RESET|Failed to fetch|did not arrive|4\d\d/)
  const refused = new Set<string>()
  await openConsole(page, await aStaff('owner'))
  await expect(page.getByRole('heading', { level: 1, name: 'Tổng quan' })).toBeVisible()
  for (const { path } of SOME_SCREENS) {
    const files = await withhold(page, (file) => lazy.files.has(file))
    await goOn(page, `/admin${path.replaceAll(/:\w+/g, '1')}`)
    await expect(failure(page), path).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Danh mục', includeHidden: true }), path).toBeAttached()
    await expect(page.getByRole('banner'), path).toBeVisible()
    await retry(page).click()
    await expect(failure(page), path).toBeVisible()
    files.release()
    await retry(page).click()
    await expect(failure(page), path).toBeHidden()
    for (const file of files.refused) refused.add(file)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  }
  expect(refused.size).toBeGreaterThan(0)
})

test(
  'an entry of the menu answers before the code of its screen has come',
  { tag: '@long' },
  async ({ page, aStaff }) => {
    await openConsole(page, await aStaff('owner'))
    await expect(page.getByRole('heading', { level: 1, name: 'Tổng quan' })).toBeVisible()
    const release = await delay(page, (file) => lazy.files.has(file))
    await goOn(page, '/admin/users')
    const bar = page.locator('.nav-progress')
    await expect(bar).toBeVisible()
    release()
    await expect(page.getByRole('heading', { level: 1, name: 'Người chơi' })).toBeVisible()
    await expect(bar).toHaveCount(0)
  },
)

test(
  'a screen that a wrong answer has broken reads it again with the next tap',
  { tag: '@long' },
  async ({ page, aStaff, consoleErrors }) => {
    consoleErrors.expect(/null|undefined|not a function|iterable/)
    await openConsole(page, await aStaff('owner'))
    await expect(page.getByRole('heading', { level: 1, name: 'Tổng quan' })).toBeVisible()
    await page.route('**/api/operator/categories*', (route) => route.fulfill({ json: [null] }))
    await goOn(page, '/admin/categories')
    const again = page.getByRole('main').getByRole('button', { name: 'Thử lại' })
    await expect(again).toBeVisible()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await again.click()
    await expect(again).toBeHidden()
    await expect(page.getByRole('main').getByRole('row').nth(1)).toBeVisible()
  },
)
