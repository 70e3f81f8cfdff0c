import type { Page } from '@playwright/test'
import { test as base } from './fixtures.ts'

/** By test file, since the options of a context are those of the file. Closed with the browser. */
const tabs = new Map<string, Page>()

/**
 * Tests of a file that share one tab per worker: opening a tab takes the browser several times as long as opening a
 * page in it. Cookies and replaced answers are cleared after each; `storeOnly` empties the storage before the next.
 */
export const test = base.extend({
  context: ({ page }, use) => use(page.context()),
  page: async ({ browser, viewport }, use, { file }) => {
    const page = tabs.get(file) ?? (await browser.newPage())
    tabs.set(file, page)
    if (viewport) await page.setViewportSize(viewport)
    await use(page)
    await page.goto('about:blank')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.context().clearCookies()
  },
})
