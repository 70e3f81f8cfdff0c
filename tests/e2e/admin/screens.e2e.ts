import type { Screen } from '#admin/screen.ts'
import { screens } from '#admin/screens.ts'
import { hasAllCases } from '#tests/support/all-cases.ts'
import { expect, test } from '../player/fixtures.ts'
import { useSeparatePortal } from '../player/separate-portal.ts'
import { addressOf, makeConsoleRows, type ConsoleRows } from './console-rows.ts'
import { expectAccessible } from '../accessible.ts'
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

test('every screen with rows is accessible in both schemes and fits the width', async ({
  page,
  isMobile,
}) => {
  test.setTimeout(300_000)
  await openConsole(page, rows.viewer)
  for (const screen of Object.values<Screen>(screens)) {
    const address = addressOf(screen, rows)
    await test.step(address, async () => {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(`/admin${address}`)
      await expectLoaded(page)
      await expectAccessible(page)
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(beyond, `${address} is wider than the screen`).toBeLessThanOrEqual(0)
      const entryBottom = await page.evaluate(
        () => document.querySelector('.console-menu [aria-current]')?.getBoundingClientRect().bottom ?? 0,
      )
      expect(entryBottom, `the entry of ${address} is below the window`).toBeLessThanOrEqual(800)
      // A scheme decides nothing but colours, which are the same at each size.
      if (!isMobile && !hasAllCases) return
      await page.emulateMedia({ colorScheme: 'dark' })
      await expectAccessible(page, ['color-contrast'])
    })
  }
})
