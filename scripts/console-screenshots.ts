import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request, type Browser } from '@playwright/test'
import { screens } from '#admin/screens.ts'
import { addressOf, makeConsoleRows, type ConsoleRows } from '#tests/e2e/admin/console-rows.ts'
import { expectLoaded, openConsole } from '#tests/e2e/admin/staff-page.ts'
import { startPortalProcess } from '#tests/support/portal-process.ts'
import { buildIfNeeded } from './build.ts'
import { chosenLooks, contextOf, loadPictures, openBrowser, picturePath, type Look } from './looks.ts'

/**
 * `npm run screenshots:console [-- screen …]`: every screen of the console with rows, as `npm run screenshots` takes the
 * pages of the player site. Screens are named as in `src/admin/screens.ts`.
 */
const { names, looks, isScreenOnly } = chosenLooks(
  'npm run screenshots:console [-- <screen> …]',
  Object.keys(screens),
)
const wanted = Object.entries(screens).filter(([name]) => names.length === 0 || names.includes(name))

async function takeAll(
  browser: Browser,
  { url, rows, look }: { url: string; rows: ConsoleRows; look: Look },
): Promise<void> {
  const context = await browser.newContext({ ...contextOf(look), baseURL: url })
  const page = await context.newPage()
  await openConsole(page, rows.viewer)
  for (const [name, screen] of wanted) {
    await page.goto(`/admin${addressOf(screen, rows)}`)
    await expectLoaded(page)
    if (!isScreenOnly) await loadPictures(page)
    await page.screenshot({
      path: picturePath(`console-${name}`, look),
      fullPage: !isScreenOnly,
      animations: 'disabled',
    })
  }
  await context.close()
}

await buildIfNeeded()
const dataDir = await mkdtemp(join(tmpdir(), 'cong-ninja-screenshots-'))
const portal = await startPortalProcess({ dataDir, environment: { DEMO: '1', LOG_LEVEL: 'warn' } })
const browser = await openBrowser()
try {
  const calls = await request.newContext({ baseURL: portal.url })
  const rows = await makeConsoleRows(calls, dataDir)
  for (const look of looks) await takeAll(browser, { url: portal.url, rows, look })
  console.log(`${wanted.length * looks.length} pictures in screenshots/`)
} finally {
  await browser.close()
  await portal.end()
  await rm(dataDir, { recursive: true, force: true })
}
