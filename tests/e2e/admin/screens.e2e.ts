import type { Page } from '@playwright/test'
import { type Screen, screens } from '#admin/screens.ts'
import { everyNth, hasAllCases } from '#tests/support/test-run.ts'
import { expect, test } from '../player/fixtures.ts'
import { useSeparatePortal } from '../player/separate-portal.ts'
import { addressOf, makeConsoleRows, type ConsoleRows } from './console-rows.ts'
import { expectAccessible, inScheme } from '../accessible.ts'
import {
  expectNothingUnderBars,
  expectNotesAtTheirFields,
  expectReadableInLargeLetters,
  TITLES,
} from '../layout.ts'
import { expectFiguresInSight, expectFits } from './fits.ts'
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

test('every screen with rows is accessible and fits the width, also with large letters', async ({ page }) => {
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
      await expectFits(page, address)
      if (address === '/') await expectFiguresInSight(page)
      const entryBottom = await page.evaluate(
        () => document.querySelector('.console-menu [aria-current]')?.getBoundingClientRect().bottom ?? 0,
      )
      expect(entryBottom, `the entry of ${address} is below the window`).toBeLessThanOrEqual(800)
      if (hasAllCases || index % 3 === 1) await expectReadableInLargeLetters(page, TITLES)
      await expectAccessible(page)
      // Colours are those of the parts, which are on many screens.
      if (!hasAllCases && index % 3 !== 0) return
      scheme = scheme === 'light' ? 'dark' : 'light'
      await inScheme(page, scheme)
      await expectAccessible(page, ['color-contrast'])
    })
  }
})

test('each button that the search box presses is on its screen', async ({ page }) => {
  await openConsole(page, rows.viewer)
  for (const { path, acts = [] } of Object.values<Screen>(screens)) {
    const buttons = acts.flatMap(({ button }) => button ?? [])
    if (buttons.length > 0) await goOn(page, `/admin${path}`)
    for (const name of buttons)
      await expect(
        page.getByRole('main').getByText(name, { exact: true }).and(page.locator('button')),
      ).toBeVisible()
  }
})

test(
  'on a phone the filters of a list are folded, and each is taken back',
  { tag: '@phone-only' },
  async ({ page }) => {
    await openConsole(page, rows.viewer, '/users')
    const list = page.getByRole('table', { name: 'Người chơi' })
    await expect(list).toBeVisible()
    const field = page.getByRole('combobox', { name: 'Máy chủ' })
    await expect(field).toBeHidden()
    await page.getByRole('button', { name: 'Lọc', exact: true }).click()
    await expectAccessible(page)
    await field.selectOption({ index: 1 })
    await page.getByRole('button', { name: 'Lọc (1)', exact: true }).click()
    await expect(field).toBeHidden()
    await page.getByRole('button', { name: /^Bỏ lọc Máy chủ: / }).click()
    await expect(page).toHaveURL(/\/users$/)

    const row = list.locator('tbody tr').first()
    const server = row.locator('[data-label="Máy chủ"]')
    await expect(server).toBeHidden()
    await row.getByRole('button', { name: /^Xem đủ dòng/ }).click()
    await expect(server).toBeVisible()
  },
)

/** Whatever a button of a screen opens; nothing is sent. */
test('in every dialog each field lies open, with its hint and its error beside it', async ({
  page,
  consoleErrors,
}) => {
  test.setTimeout(600_000)
  consoleErrors.expect(/status of 422/)
  await openConsole(page, rows.viewer)
  await page.route('**/api/**', (route) =>
    route.request().method() === 'GET'
      ? route.fallback()
      : route.fulfill({ status: 422, json: { code: 'INVALID', message: 'Không gửi gì' } }),
  )
  const addresses = Object.values<Screen>(screens).map((screen) => addressOf(screen, rows))
  let opened = 0
  for (const address of everyNth(addresses, 20, 1)) {
    await goOn(page, `/admin${address}`)
    await expectLoaded(page)
    await expectNotesAtTheirFields(page)
    const names = await page
      .locator('main button:enabled:not(thead *, [aria-pressed], [aria-expanded])')
      .filter({ visible: true })
      .evaluateAll((buttons) => [
        ...new Set(buttons.map((one) => one.getAttribute('aria-label') ?? one.textContent.trim())),
      ])
    for (const name of names) {
      const button = page.getByRole('main').getByRole('button', { name, exact: true }).first()
      // Another button's dialog may have changed the screen.
      if (!(await button.isVisible()) || !(await button.isEnabled())) continue
      await button.evaluate((element: HTMLElement) => element.click())
      if ((await page.locator('dialog[open]').count()) === 0) continue
      opened += 1
      // What is sent may be shown in a dialog over the form, to be looked through first.
      const dialog = page.locator('dialog[open]').last()
      const submit = dialog.locator('[type=submit]:enabled').first()
      if (await submit.isVisible()) await submit.evaluate((element: HTMLElement) => element.click())
      await test.step(`${address}: ${name}`, async () => {
        await expectNothingUnderBars(page, dialog)
        await expectNotesAtTheirFields(page)
      })
      // Some ask before they close.
      await page.goto(`/admin${address}`)
      await expectLoaded(page)
    }
  }
  expect(opened).toBeGreaterThan(0)
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
