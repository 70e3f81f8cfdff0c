import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { freePort } from '#tests/support/network.ts'
import { type PortalProcess, startPortalProcess } from '#tests/support/processes.ts'
import { changeFile, copyProgram } from '#tests/support/program-copy.ts'
import { sendExchange } from '#tests/support/page-states/purchase-states.ts'
import { openConsole } from '../admin/staff-page.ts'
import { copyStartedDemo } from '../global-setup.ts'
import { expect, registerTrader, signIn, test } from './fixtures.ts'
import { aProvedStaffMember } from './staff.ts'

// A second release is built for all of these.
test.describe.configure({ mode: 'serial' })

const OLD = { foot: 'Cuối trang', console: 'Phím tắt' }
const NEW = { foot: 'Chân trang', console: 'Các phím tắt' }

const environment = { DEMO: '1', LOG_LEVEL: 'warn' }
const releases = { next: '', dataDir: '', port: 0 }
let portal: PortalProcess | null = null

/** Starts a release at the address of the one before, which ends. */
async function deploy(program?: string): Promise<void> {
  await portal?.end()
  portal = await startPortalProcess({
    dataDir: releases.dataDir,
    port: releases.port,
    environment,
    ...(program !== undefined && { program }),
  })
}

test.beforeAll(async () => {
  test.setTimeout(240_000)
  releases.next = await copyProgram()
  // A sentence that every page of the site has, so that each file that another one names has another name.
  await changeFile(join(releases.next, 'src/web/shell/shell.copy.ts'), OLD.foot, NEW.foot)
  await changeFile(join(releases.next, 'src/admin/shell/console.copy.ts'), OLD.console, NEW.console)
  await promisify(execFile)(process.execPath, ['scripts/build.ts'], { cwd: releases.next })
  releases.dataDir = await copyStartedDemo()
  releases.port = await freePort()
})

test.afterAll(async () => {
  await portal?.end()
  for (const folder of [releases.next, releases.dataDir]) await rm(folder, { recursive: true, force: true })
})

test.use({
  baseURL: async ({ browserName: _browser }, use) => {
    await use(`http://127.0.0.1:${releases.port}`)
  },
})

test.beforeEach(async ({ consoleErrors }) => {
  // For the seconds between the two nobody answers.
  consoleErrors.expect(
    /ERR_(CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE)|Failed to fetch|status of (404|503)/,
  )
  await deploy()
})

const letOldFilesGo = () => rm(join(releases.dataDir, 'site-files'), { recursive: true })

/** Whether this is the document that was marked. */
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { isMarked: true }) && undefined)
const isMarked = (page: Page) => page.evaluate(() => 'isMarked' in window)

const nav = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Chính' }).getByRole('link', { name })

async function buy(page: Page): Promise<void> {
  await sendExchange(page)
  await expect(page.getByRole('alertdialog').getByRole('link', { name: 'Xem biên nhận' })).toBeVisible()
}

test(
  'a tab of the release before goes on: next page, dialog, purchase',
  { tag: '@long' },
  async ({ page, request }) => {
    const trader = await registerTrader(request, 100_000)
    await signIn(page, trader.token)
    await page.goto('/community', { waitUntil: 'networkidle' })
    await mark(page)
    await deploy(releases.next)
    await nav(page, 'Đổi lượng').click()
    await expect(page).toHaveURL(/\/exchange$/)
    await buy(page)
    expect(await isMarked(page)).toBe(true)
    await expect(page.getByRole('navigation', { name: OLD.foot })).toBeAttached()
    // A new document is of the new release.
    await page.goto('/community')
    await expect(page.getByRole('navigation', { name: NEW.foot })).toBeAttached()
  },
)

test('a visitor’s tab of the release before opens a dialog', { tag: '@long' }, async ({ page }) => {
  await page.goto('/community', { waitUntil: 'networkidle' })
  await mark(page)
  await deploy(releases.next)
  await page.getByRole('banner').getByRole('link', { name: 'Đăng ký' }).click()
  await expect(page.getByRole('dialog', { name: 'Đăng ký tài khoản' })).toBeVisible()
  expect(await isMarked(page)).toBe(true)
})

test(
  'a tab whose files are gone goes on in a document of the new release',
  { tag: '@long' },
  async ({ page, request }) => {
    const trader = await registerTrader(request, 100_000)
    await signIn(page, trader.token)
    await page.goto('/community', { waitUntil: 'networkidle' })
    await deploy(releases.next)
    await letOldFilesGo()
    await nav(page, 'Đổi lượng').click()
    await expect(page).toHaveURL(/\/exchange$/)
    await expect(page.getByRole('navigation', { name: NEW.foot })).toBeAttached()
    await buy(page)
  },
)

test(
  'a tab of the console goes on, with the files of its release and without',
  { tag: '@long' },
  async ({ page, request }) => {
    const owner = await aProvedStaffMember(request, releases.dataDir, 'owner')
    await openConsole(page, owner)
    await expect(page.getByRole('heading', { level: 1, name: 'Tổng quan' })).toBeVisible()
    await mark(page)
    await deploy(releases.next)
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    await expect(page.getByRole('heading', { level: 1, name: 'Đơn nạp' })).toBeVisible()
    expect(await isMarked(page)).toBe(true)
    await letOldFilesGo()
    await page.keyboard.press('g')
    await page.keyboard.press('u')
    await expect(page.getByRole('heading', { level: 1, name: 'Người chơi' })).toBeVisible()
    expect(await isMarked(page)).toBe(false)
  },
)
