import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request, type Browser } from '@playwright/test'
import { Callers, openState, type PageState } from '#tests/support/page-states/page-state.ts'
import { allStates } from '#tests/support/page-states/all-states.ts'
import { startPortalProcess } from '#tests/support/processes.ts'
import { buildIfNeeded } from './build.ts'
import { chosenLooks, contextOf, loadPictures, openBrowser, picturePath, type Look } from './looks.ts'

/**
 * `npm run screenshots [-- name …]`: every page, modal and state of a demo portal as a picture in `screenshots/`, on a
 * phone and on a desktop, light and dark, for people to look through.
 */
type Sitting = { state: PageState; look: Look; url: string; callers: Callers }

async function take(browser: Browser, { state, look, url, callers }: Sitting): Promise<void> {
  const context = await browser.newContext({ ...contextOf(look), baseURL: url })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    await openState(page, state, callers)
    const isModal = (await page.locator('dialog[open]').count()) > 0
    const isWhole = !isModal && !isScreenOnly
    if (isWhole) await loadPictures(page)
    await page.screenshot({
      path: picturePath(state.name, look),
      fullPage: isWhole,
      animations: 'disabled',
    })
  } finally {
    await context.close()
  }
}

async function takeAll(browser: Browser, url: string, wanted: readonly PageState[]): Promise<number> {
  const calls = await request.newContext({ baseURL: url })
  const callers = new Callers(calls)
  let failures = 0
  for (const look of looks) {
    for (const state of wanted) {
      try {
        await take(browser, { state, look, url, callers })
      } catch (error) {
        failures += 1
        console.error(`${state.name}, ${look.size}, ${look.colorScheme}: ${String(error)}`)
      }
    }
  }
  await calls.dispose()
  return failures
}

const { names, looks, isScreenOnly } = chosenLooks(
  'npm run screenshots [-- <name> …]',
  allStates.map(({ name }) => name),
)
const wanted = names.length > 0 ? allStates.filter(({ name }) => names.includes(name)) : allStates
await buildIfNeeded()
const dataDir = await mkdtemp(join(tmpdir(), 'cong-ninja-screenshots-'))
const portal = await startPortalProcess({ dataDir, environment: { DEMO: '1', LOG_LEVEL: 'warn' } })
const browser = await openBrowser()
try {
  const failures = await takeAll(browser, portal.url, wanted)
  console.log(
    `${wanted.length * looks.length - failures} pictures in screenshots/, ${failures} could not be taken`,
  )
  process.exitCode = failures > 0 ? 1 : 0
} finally {
  await browser.close()
  await portal.end()
  await rm(dataDir, { recursive: true, force: true })
}
