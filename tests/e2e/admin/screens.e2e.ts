import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { screens, type Screen } from '#admin/screens.ts'
import { startPortalProcess, type PortalProcess } from '#tests/support/portal-process.ts'
import { expect, test } from '../player/fixtures.ts'
import { addressOf, makeConsoleRows, type ConsoleRows } from './console-rows.ts'
import { expectAccessible, expectLoaded, openConsole } from './staff-page.ts'

let portal: PortalProcess | undefined
let url = ''
let dataDir = ''
let rows: ConsoleRows

/** A portal of its own: what waits here would be counted in other tests. */
test.beforeAll(async ({ playwright }) => {
  test.setTimeout(120_000)
  dataDir = await mkdtemp(join(tmpdir(), 'cong-ninja-console-'))
  portal = await startPortalProcess({ dataDir, environment: { DEMO: '1', LOG_LEVEL: 'warn' } })
  url = portal.url
  const request = await playwright.request.newContext({ baseURL: url })
  rows = await makeConsoleRows(request, dataDir)
  await request.dispose()
})

test.afterAll(async () => {
  await portal?.end()
  await rm(dataDir, { recursive: true, force: true })
})

test.use({
  baseURL: async ({ browserName: _browser }, use) => {
    await use(url)
  },
  // Parts that fade in would be measured half transparent.
  contextOptions: { reducedMotion: 'reduce' },
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every screen with rows is accessible and fits the width, ${colorScheme}`, async ({ page }) => {
    test.setTimeout(300_000)
    await page.emulateMedia({ colorScheme })
    await openConsole(page, rows.viewer)
    for (const screen of Object.values<Screen>(screens)) {
      const address = addressOf(screen, rows)
      await test.step(address, async () => {
        await page.goto(`/admin${address}`)
        await expectLoaded(page)
        // A scheme decides nothing but colours.
        await expectAccessible(page, colorScheme === 'dark' ? ['color-contrast'] : undefined)
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        expect(beyond, `${address} is wider than the screen`).toBeLessThanOrEqual(0)
      })
    }
  })
}
