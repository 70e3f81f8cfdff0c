import type { Page } from '@playwright/test'
import { screens } from '#admin/screens.ts'
import { lazyFiles, loseEachOnce, withhold } from '#tests/support/lazy-files.ts'
import { expect } from '../player/fixtures.ts'
import { aStaffMember, leaveOwnersBehind, type StaffMember } from '../player/staff.ts'
import { openConsole, test as base } from './staff-page.ts'

const test = base.extend<object, { owner: StaffMember }>({
  /** Only looks. */
  owner: [
    async ({ playwright, portal }, use) => {
      const request = await playwright.request.newContext({ baseURL: portal.url })
      await leaveOwnersBehind(portal.dataDir)
      await use(await aStaffMember(request, portal.dataDir, 'owner'))
      await request.dispose()
    },
    { scope: 'worker' },
  ],
})

// Any worker may take the next of these.
test.describe.configure({ mode: 'parallel' })

const lazy = lazyFiles('admin')

/** Fetched when something has failed. */
const REPORT = 'src/client/send-report.ts'
/** Fetched by the search box, which finds the rest without it. */
const SETTINGS_FOUND = 'src/admin/shell/setting-places.ts'
/** Of no screen. */
const APART = [SETTINGS_FOUND, REPORT]

/** Where each part of the console is shown. */
const addresses = new Map<string, string>()
for (const { path, load } of Object.values(screens)) {
  const [, source] = /#(admin\/[\w/.-]+)/.exec(String(load)) ?? []
  addresses.set(`src/${source}`, path.replaceAll(/:\w+/g, '1'))
}
for (const { source } of lazy.parts) {
  const [, operators, runbook] = /^docs\/runbooks\/(vi\/)?(.+)\.md$/.exec(source) ?? []
  if (runbook) addresses.set(source, `/runbooks/${runbook}${operators ? '' : '?part=engineer'}`)
}

/** Each file with a part that needs it. */
const partOf = new Map(
  lazy.parts.flatMap((part) => part.needs.map((file) => [file, part] as const)).reverse(),
)

/** In place of a screen, or of what it shows. */
const failure = (page: Page, source: string) =>
  source.startsWith('docs/')
    ? page.getByRole('main').getByRole('alert')
    : page.getByRole('heading', { level: 1, name: 'Trang không mở được' })

async function expectArrived(page: Page, source: string, file: string): Promise<void> {
  await expect(page.getByRole('main'), file).toContainText(/\S{2}/)
  await expect(page.getByRole('main').getByText('Đang tải'), file).toHaveCount(0)
  await expect(failure(page, source), file).toHaveCount(0)
}

test.beforeEach(({ consoleErrors }) =>
  consoleErrors.expect(/ERR_CONNECTION_RESET|Failed to fetch|did not arrive|4\d\d/),
)

test('every file of the console belongs to a part whose address is known', () => {
  expect(lazy.parts.map(({ source }) => source).filter((source) => !addresses.has(source))).toEqual(APART)
  expect([...lazy.files].filter((file) => !partOf.has(file))).toEqual([])
})

test('the search box finds screens where the settings do not arrive, and these the next time', async ({
  page,
  owner,
}) => {
  const files = lazy.parts.filter(({ source }) => source === SETTINGS_FOUND).flatMap(({ needs }) => needs)
  expect(files.length).toBeGreaterThan(0)
  await openConsole(page, owner)
  const { refused, release } = await withhold(page, (one) => files.includes(one))
  await page.goto('/admin/')
  const box = page.locator('[data-search]')
  await box.fill('khuyen mai')
  await expect(page.getByRole('option', { name: /Khuyến mãi/ }).first()).toBeVisible()
  await expect.poll(() => [...refused].length).toBeGreaterThan(0)
  await box.fill('ten trang')
  await expect(page.getByRole('option', { name: /Tên trang/ })).toHaveCount(0)
  release()
  await page.getByRole('heading', { level: 1 }).click()
  await box.fill('')
  await box.fill('ten trang')
  await expect(page.getByRole('option', { name: /Tên trang/ })).toBeVisible()
})

for (const { source, needs } of lazy.parts) {
  const address = addresses.get(source)
  if (address === undefined) continue
  test(`${source} opens when each of its files is lost once`, { tag: '@long' }, async ({ page, owner }) => {
    const lost = await loseEachOnce(page, lazy)
    await openConsole(page, owner, address)
    await expectArrived(page, source, address)
    expect([...lost]).toEqual(expect.arrayContaining(needs))
  })
}

for (const file of lazy.files) {
  const source = partOf.get(file)?.source ?? ''
  if (source === SETTINGS_FOUND) continue
  // What reports a failure needs one.
  const isReport = source === REPORT
  test(
    `without ${file} of ${source} the console stands, and a second tap brings it`,
    { tag: '@long' },
    async ({ page, owner }) => {
      const { refused, release } = await withhold(
        page,
        (one) => one === file || (isReport && one.includes('overview')),
      )
      await openConsole(page, owner, addresses.get(source))
      await expect(failure(page, source)).toBeVisible()
      await expect.poll(() => [...refused]).toContain(file)
      await expect(page.getByRole('banner')).toBeVisible()
      await expect(page.locator('#menu')).toBeAttached()
      release()
      await page.getByRole('main').getByRole('button', { name: 'Thử lại' }).click()
      await expectArrived(page, source, file)
    },
  )
}
