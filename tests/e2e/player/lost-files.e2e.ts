import type { Locator, Page } from '@playwright/test'
import { pages } from '#contract/pages.ts'
import {
  type Callers,
  enterState,
  openState,
  type PageState,
  seen,
} from '#tests/support/page-states/page-state.ts'
import { fileOf, type LazyPart, lazyFiles, loseEachOnce, withhold } from '#tests/support/lazy-files.ts'
import { expect, test } from './fixtures.ts'
import { type Opening, openingOf } from './openings.ts'

// Any worker may take the next of these.
test.describe.configure({ mode: 'parallel' })

const lazy = lazyFiles('client')

/** Fetched when something has failed. */
const REPORT = 'src/client/send-report.ts'

/** Of those that need a file, a part that comes with its page. */
const isLate = ({ source }: LazyPart) => {
  const opening = openingOf(source)
  return !opening || opening.tap !== undefined || opening.state.prepare !== undefined
}
const partOf = new Map<string, LazyPart>()
for (const part of lazy.parts.toSorted((a, b) => Number(isLate(b)) - Number(isLate(a))))
  for (const file of part.needs) partOf.set(file, part)
for (const part of lazy.parts) partOf.set(part.file, part)

const shown = (page: Page, { state, sees = state.sees }: Opening) => seen(page, { ...state, sees })

/** Some states wait for what is not there: what each of their steps may take, and where that was too little, as on a busy machine. */
const LAST_MS_MAX = 20_000
const STEP_MS_MAX = [3_000, LAST_MS_MAX]

/** How long something is waited for where its absence only means another way. */
const MISSING_MS_MAX = 5_000

async function openWithout(page: Page, { state, tap }: Opening, { callers, step_ms }: Entry): Promise<void> {
  page.setDefaultTimeout(step_ms)
  try {
    await (tap ? openState : enterState)(page, state, callers)
    await tap?.(page)
  } catch {
    // What the part would have shown is not there.
  } finally {
    page.setDefaultTimeout(10_000)
  }
}

type Entry = { callers: Callers; step_ms: number }

const happens = (wait: Promise<unknown>) =>
  wait.then(
    () => true,
    () => false,
  )

const isThere = (what: Locator) => happens(what.waitFor({ timeout: MISSING_MS_MAX }))

/** What stands in the place of something that did not come, in the open dialog or on the page. */
const again = (page: Page) =>
  page.getByRole('button', { name: /^(Thử lại|Tải lại (trang|số dư))$/ }).filter({ visible: true })

const toldOf = (page: Page, { told }: Opening) =>
  told === undefined ? again(page).first() : page.getByText(told).first()

async function tapAgain(page: Page, opening: Opening, file: string): Promise<void> {
  const { state, tap, told } = opening
  if (told === undefined) {
    const inDialog = page.locator('dialog[open]').getByRole('button').and(again(page))
    // Several parts may miss one file.
    for (let left = await again(page).count(); left > 0; left = await again(page).count()) {
      const isInDialog = (await inDialog.count()) > 0
      if (!isInDialog) await page.keyboard.press('Escape')
      await (isInDialog ? inDialog : again(page)).first().click()
      await expect.poll(() => again(page).count(), file).toBeLessThan(left)
    }
    if (await isThere(shown(page, opening))) return
    // What the state does on that page had no page before.
    await page.keyboard.press('Escape')
  }
  await (tap ?? state.prepare)?.(page)
  await expect(shown(page, opening), file).toBeVisible()
}

/** What was missed without a word comes with the next document. */
async function expectInNextDocument(page: Page, { state }: Opening, file: string): Promise<void> {
  const arrived = page.waitForResponse((answer) => fileOf(answer.url()) === file)
  await page.reload()
  await state.prepare?.(page)
  expect((await arrived).ok()).toBe(true)
}

const isFramed = ({ route }: PageState) => route !== pages.overlay.path && route !== pages.order.path

// What greets strangers is a part too; other states are of those whom it has greeted.
test.use({ isStranger: true })

test.beforeEach(({ consoleErrors }) => consoleErrors.expect(/./))

test('every file of the player site belongs to a part that a state opens', () => {
  const parts = lazy.parts.filter(({ source }) => source !== REPORT)
  expect(parts.map(({ source }) => source).filter((source) => !openingOf(source))).toEqual([])
  expect([...lazy.files].filter((file) => !partOf.has(file))).toEqual([])
})

for (const { source, needs } of lazy.parts) {
  const opening = openingOf(source)
  if (!opening) continue
  test(`${source} opens when each of its files is lost once`, { tag: '@long' }, async ({ page, callers }) => {
    const lost = await loseEachOnce(page, lazy)
    await openState(page, opening.state, callers)
    await opening.tap?.(page)
    await expect(shown(page, opening)).toBeVisible()
    await expect.poll(() => [...lost]).toEqual(expect.arrayContaining(needs))
  })
}

for (const file of lazy.files) {
  const source = partOf.get(file)?.source ?? ''
  const isReport = source === REPORT
  // What reports a failure needs one.
  const failing = isReport ? 'src/web/features/posts/own-cards.tsx' : source
  const opening = openingOf(failing)
  if (!opening) continue
  test(
    `without ${file} of ${source} its page and the frame are there, and a second tap brings it`,
    { tag: '@long' },
    async ({ page, callers }) => {
      // What is not there is waited for.
      test.setTimeout(180_000)
      page.setDefaultTimeout(10_000)
      const { refused, release } = await withhold(
        page,
        (one) => one === file || (isReport && partOf.get(one)?.source === failing),
      )
      const isTold = !opening.quiet || opening.told !== undefined
      for (const step_ms of STEP_MS_MAX) {
        await openWithout(page, opening, { callers, step_ms })
        const isLost = await happens(
          expect.poll(() => refused.has(file), { timeout: MISSING_MS_MAX }).toBe(true),
        )
        if (isLost && (!isTold || (await isThere(toldOf(page, opening))))) break
      }
      await expect.poll(() => [...refused], { timeout: LAST_MS_MAX }).toContain(file)
      if (isTold) await expect(toldOf(page, opening)).toBeVisible()
      if (opening.quiet) await expect(again(page)).toHaveCount(0)
      if (isFramed(opening.state))
        await expect(page.getByRole('banner').getByRole('link').first()).toBeVisible()
      await expect.poll(() => page.locator('#main').innerText({ timeout: 1_000 })).toMatch(/\S{2,}/)
      release()
      if (!opening.quiet) await tapAgain(page, opening, file)
      else if (!isTold) await expectInNextDocument(page, opening, file)
    },
  )
}
