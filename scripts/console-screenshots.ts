import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request, type Browser, type Page } from '@playwright/test'
import { screens } from '#admin/screens.ts'
import { addressOf, makeConsoleRows } from '#tests/e2e/admin/console-rows.ts'
import { expectLoaded, openConsole } from '#tests/e2e/admin/staff-page.ts'
import { startPortalProcess } from '#tests/support/processes.ts'
import { buildIfNeeded } from './build.ts'
import { consoleStates, type Arranging, type ConsoleState } from './console-states.ts'
import { chosenLooks, contextOf, loadPictures, openBrowser, picturePath, type Look } from './looks.ts'

/**
 * `npm run screenshots:console [-- screen …]`: every screen of the console with rows, and what comes up there, as
 * `npm run screenshots` takes the pages of the player site. Screens are named as in `src/admin/screens.ts`.
 */
const screenStates = Object.entries(screens).map(([name, screen]): ConsoleState => ({
  name,
  path: (rows) => addressOf(screen, rows),
}))
const all = [...screenStates, ...consoleStates]
const { names, looks, isScreenOnly } = chosenLooks(
  'npm run screenshots:console [-- <screen> …]',
  all.map(({ name }) => name),
)
const wanted = all.filter(({ name }) => names.length === 0 || names.includes(name))

async function take(page: Page, state: ConsoleState, look: Look): Promise<void> {
  await state.prepare?.(page)
  const isWhole = !isScreenOnly && (await page.locator('dialog[open]').count()) === 0
  if (isWhole) await loadPictures(page)
  await page.screenshot({
    path: picturePath(`console-${state.name}`, look),
    fullPage: isWhole,
    animations: 'disabled',
  })
}

async function takeAll(browser: Browser, baseURL: string, { rows }: Arranging): Promise<number> {
  let failures = 0
  for (const look of looks) {
    const context = await browser.newContext({ ...contextOf(look), baseURL })
    context.setDefaultTimeout(15_000)
    for (const state of wanted) {
      const page = await context.newPage()
      try {
        await state.before?.(page)
        await openConsole(page, rows.viewer, typeof state.path === 'string' ? state.path : state.path(rows))
        await expectLoaded(page)
        await take(page, state, look)
      } catch (error) {
        failures += 1
        console.error(`${state.name}, ${look.size}, ${look.colorScheme}: ${String(error)}`)
      }
      await page.close()
    }
    await context.close()
  }
  return failures
}

await buildIfNeeded()
const dataDir = await mkdtemp(join(tmpdir(), 'cong-ninja-screenshots-'))
const portal = await startPortalProcess({ dataDir, environment: { DEMO: '1', LOG_LEVEL: 'warn' } })
const browser = await openBrowser()
try {
  const calls = await request.newContext({ baseURL: portal.url })
  const arranging = { rows: await makeConsoleRows(calls, dataDir), calls, dataDir }
  for (const arrange of new Set(wanted.map((state) => state.arrange))) await arrange?.(arranging)
  const failures = await takeAll(browser, portal.url, arranging)
  console.log(
    `${wanted.length * looks.length - failures} pictures in screenshots/, ${failures} could not be taken`,
  )
  process.exitCode = failures > 0 ? 1 : 0
} finally {
  await browser.close()
  await portal.end()
  await rm(dataDir, { recursive: true, force: true })
}
