import type { Page } from '@playwright/test'
import { type Screen, screens } from '#admin/screens.ts'
import { everyNth, hasAllCases } from '#tests/support/test-run.ts'
import { expect, test } from '../player/fixtures.ts'
import { useSeparatePortal } from '../player/separate-portal.ts'
import { addressOf, makeConsoleRows, type ConsoleRows } from './console-rows.ts'
import { expectAccessible, inScheme } from '../accessible.ts'
import { expectLoaded, openConsole } from './staff-page.ts'

let rows: ConsoleRows

// What waits here would be counted in other tests.
useSeparatePortal(async (request, { dataDir }) => {
  rows = await makeConsoleRows(request, dataDir)
})

test.use({
  // Parts that fade in would be measured half transparent.
  contextOptions: { reducedMotion: 'reduce' },
})

test('every screen with rows is accessible and fits the width', async ({ page }) => {
  test.setTimeout(300_000)
  await openConsole(page, rows.viewer)
  const addresses = Object.values<Screen>(screens).map((screen) => addressOf(screen, rows))
  // Screens are made of the same parts.
  const shown = everyNth(addresses, 6)
  // Each change of the scheme is waited for: the next screen begins in the scheme that the one before ended in.
  let scheme: 'light' | 'dark' = 'light'
  for (const [index, address] of shown.entries()) {
    await test.step(`${address}, first ${scheme}`, async () => {
      const isReloaded = hasAllCases || address === '/'
      await (isReloaded ? page.goto(`/admin${address}`) : goOn(page, `/admin${address}`))
      await expectLoaded(page)
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(beyond, `${address} is wider than the screen`).toBeLessThanOrEqual(0)
      const entryBottom = await page.evaluate(
        () => document.querySelector('.console-menu [aria-current]')?.getBoundingClientRect().bottom ?? 0,
      )
      expect(entryBottom, `the entry of ${address} is below the window`).toBeLessThanOrEqual(800)
      await expectAccessible(page)
      // Colours are those of the parts, which are on many screens.
      if (!hasAllCases && index % 3 !== 0) return
      scheme = scheme === 'light' ? 'dark' : 'light'
      await inScheme(page, scheme)
      await expectAccessible(page, ['color-contrast'])
    })
  }
})

/** To another screen without loading the console again, by way of an address without one, so that nothing of it stays. */
async function goOn(page: Page, address: string): Promise<void> {
  const nowhere = page.getByRole('main').getByText('Không có trang này')
  for (const path of ['/admin/khong-co', address]) {
    await page.evaluate((to) => {
      history.pushState({}, '', to)
      dispatchEvent(new PopStateEvent('popstate', { state: {} }))
    }, path)
    await expect(nowhere).toHaveCount(path === address ? 0 : 1)
  }
}
