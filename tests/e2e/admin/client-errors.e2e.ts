import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from '../accessible.ts'
import { expect, signIn } from '../player/fixtures.ts'
import { giveReason, openConsole, test } from './staff-page.ts'

const SITE = join(import.meta.dirname, '../../../dist/web')

/** An answer that no version of the portal gives: the page that reads it breaks. */
const breakAnswers = (page: Page, path: string, answer: unknown) =>
  page.route(path, (route) => route.fulfill({ json: answer, headers: { 'content-range': 'x 0-0/1' } }))

const told = (page: Page) =>
  page.waitForResponse((answer) => answer.url().endsWith('/api/client-errors') && answer.status() === 204)

test('what breaks in a browser, on either site, is in the list with its place in the source', async ({
  page,
  newcomer,
  aStaff,
  consoleErrors,
}) => {
  consoleErrors.expect(/TypeError|page-breaks/)
  await signIn(page, newcomer.token)
  await breakAnswers(page, '**/api/user/transactions?*', { data: [null], payload: { pagination: {} } })
  const ofPlayer = told(page)
  await page.goto('/user/transactions')
  const report = (await ofPlayer).request().postData() ?? ''
  expect(JSON.parse(report)).toMatchObject({ site: 'player', page: '/user/transactions', kind: 'part' })
  expect(report).not.toContain(newcomer.username)

  const owner = await aStaff('owner')
  await breakAnswers(page, '**/api/operator/servers?*', [null])
  const ofConsole = told(page)
  await openConsole(page, owner, '/servers')
  await ofConsole

  // As the alarm leads there.
  await page.goto('/admin/client-errors?state=open&is_new=true')
  const rows = page.getByRole('row').filter({ hasText: 'TypeError' })
  const playerRow = rows.filter({ hasText: /src\/web\/features\/statements\/[\w.-]+:\d+:\d+/ })
  await expect(playerRow).toContainText(/Người chơi.*Chrome \d+/s)
  await expect(rows.filter({ hasText: /src\/admin\/kit\/data-(list|table)\.tsx:\d+:\d+/ })).toContainText(
    'Vận hành',
  )
  await expect(playerRow).not.toContainText('không còn lưu')
  await expectAccessible(page)

  await playerRow.getByRole('link').first().click()
  await expect(page.getByText('/user/transactions', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Đã xử lý' }).click()
  await giveReason(page, 'Đã xử lý')
  await expect(page.getByText('Đã xử lý lúc')).toBeVisible()
})

test('code that does not arrive is told', async ({ page, consoleErrors }) => {
  consoleErrors.expect(/Failed to load resource|ERR_FAILED|dynamically imported/)
  await page.goto('/home')
  await expect(page.locator('#root')).toHaveAttribute('data-ready', '')
  await page.route('**/static/js/gem-calculator.page-*', (route) => route.abort())
  const report = told(page)
  await page.getByRole('contentinfo').getByRole('link', { name: 'Tính nâng ngọc' }).click()
  expect((await report).request().postDataJSON()).toMatchObject({ site: 'player', kind: 'code' })
})

test('what other scripts of the page throw, and calls that fail, are told to nobody', async ({
  page,
  consoleErrors,
}) => {
  consoleErrors.expect(/foreign|of an extension|status of 500/)
  const reports: string[] = []
  await page.route('**/api/client-errors', (route) => {
    reports.push((route.request().postDataJSON() as { message: string }).message)
    return route.continue()
  })
  await page.goto('/home')
  await expect(page.locator('#root')).toHaveAttribute('data-ready', '')
  await page.evaluate(async () => {
    const extension = (message: string) =>
      Object.assign(new Error(message), {
        stack: `Error\n at chrome-extension://abc/x.js:1:2\n at ${location.origin}/static/js/portal-x.js:1:1`,
      })
    setTimeout(() => {
      throw new Error('foreign')
    })
    void Promise.reject(new Error('foreign promise'))
    void Promise.reject(extension('of an extension'))
    const failed = Object.assign(new Error('status'), {
      name: 'CallError',
      stack: `${location.origin}/static/js/a.js:1:1`,
    })
    dispatchEvent(
      new PromiseRejectionEvent('unhandledrejection', { promise: Promise.resolve(), reason: failed }),
    )
    // Of our own: the last to be told, so that those before were left out by then. Seven different ones, each several times.
    const own = (at: number) =>
      Object.assign(new Error(`own ${at % 7}`), {
        stack: `Error\n at ${location.origin}/static/js/a.js:1:${at % 7}`,
      })
    for (let at = 0; at < 20; at++) dispatchEvent(new ErrorEvent('error', { error: own(at) }))
  })
  await expect.poll(() => reports.length).toBeGreaterThanOrEqual(5)
  // Which five come first is the lazy reporter's matter.
  expect(new Set(reports).size).toBe(5)
  expect(reports.filter((message) => !/^Error: own [0-6]$/.test(message))).toEqual([])
  expect(reports).toHaveLength(5)
})

test('source maps are there, are served to nobody, and are named in no file', async ({ request }) => {
  const maps: string[] = []
  for await (const name of glob('**/*.map', { cwd: SITE })) maps.push(name)
  expect(maps.filter((name) => !name.startsWith('maps/'))).toEqual([])
  for (const start of ['maps/static/js/portal-', 'maps/admin/static/entry-client-'])
    expect(maps.some((name) => name.startsWith(start))).toBe(true)
  for (const name of [maps[0], maps.find((one) => one.startsWith('maps/static/'))] as string[])
    for (const address of [
      name,
      name.replace('maps/', ''),
      `static/../${name}`,
      `admin/${name}`,
      `static/%2e%2e/%2e%2e/${name}`,
    ])
      expect([(await request.get(`/${address}`)).status(), address]).toEqual([404, address])
  for await (const name of glob('{client,admin}/static/**/*.{js,css}', { cwd: SITE }))
    expect([name, (await readFile(join(SITE, name), 'utf8')).includes('sourceMappingURL')]).toEqual([
      name,
      false,
    ])
})
