import type { Page } from '@playwright/test'
import { everyNth } from '#tests/support/test-run.ts'
import { expect, test } from './fixtures.ts'
import { clickHydrated, hydrated } from './measures.ts'

const ANDROID =
  'Mozilla/5.0 (Linux; Android 13; SM-A155F) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Version/17.4 Mobile Safari/604.1'
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36'
const JAVA = 'Nokia6300/2.0 (05.00) Profile/MIDP-2.0 Configuration/CLDC-1.1'

const versionLinks = (page: Page) => page.getByRole('main').getByRole('link', { name: /^Tải bản / })
const names = async (page: Page) => (await versionLinks(page).allTextContents()).map((text) => text.trim())

/** Changes the settings in this browser; the server's HTML has the real ones. */
async function answerSettings(page: Page, change: (settings: Record<string, string>) => object) {
  await page.route('**/api/settings', async (route) => {
    const settings = (await (await route.fetch()).json()) as Record<string, string>
    await route.fulfill({ json: change(settings) })
  })
}

const devices = [
  ['an Android phone', ANDROID, ['Tải bản Android']],
  ['an iPhone', IPHONE, ['Tải bản iOS', 'Tải bản iOS có auto']],
  ['a desktop', WINDOWS, ['Tải bản PC', 'Tải bản PC có auto']],
] as const
for (const [device, userAgent, expected] of everyNth(devices, 3)) {
  test.describe(`on ${device}`, () => {
    test.use({ userAgent })

    test('the page shows files for this device first, all on request', async ({ page }) => {
      await page.goto('/download')
      await expect(versionLinks(page)).toHaveCount(expected.length)
      expect(await names(page)).toEqual(expected)
      await clickHydrated(page.getByRole('button', { name: 'Xem tất cả phiên bản' }))
      await expect(versionLinks(page)).toHaveCount(11)
      await page.getByRole('button', { name: 'Chỉ xem phiên bản phù hợp' }).click()
      await expect(versionLinks(page)).toHaveCount(expected.length)
    })

    test('the first paint shows them before scripts run', async ({ page, consoleErrors }) => {
      consoleErrors.expect(/ERR_FAILED/)
      await page.route('**/static/js/**', (route) => route.abort())
      await page.goto('/download')
      await expect(versionLinks(page)).toHaveCount(expected.length)
      expect(await names(page)).toEqual(expected)
    })
  })
}

test.describe('on an old phone', () => {
  test.use({ userAgent: JAVA })

  test('all Java versions are offered', async ({ page }) => {
    await page.goto('/download')
    await expect(versionLinks(page)).toHaveCount(6)
  })

  test('a device without a version has a message and the way to the others', async ({ page }) => {
    await answerSettings(page, ({ pc }) => ({ pc }))
    await page.goto('/download')
    await expect(page.getByText('Chưa có phiên bản cho thiết bị này.')).toBeVisible()
    await clickHydrated(page.getByRole('button', { name: 'Xem tất cả phiên bản' }))
    expect(await names(page)).toEqual(['Tải bản PC'])
  })
})

test.describe('at a desktop', () => {
  test.use({ userAgent: WINDOWS })

  test('a file is shown with its version, size and SHA-256', async ({ page }) => {
    const sha256 = 'c0ffee'.padEnd(64, '0')
    await answerSettings(page, (settings) => ({
      ...settings,
      pc_file: JSON.stringify({ version: '9.9.9', size_bytes: 52_428_800, sha256 }),
    }))
    await page.goto('/download')
    for (const text of ['9.9.9', '50.0 MB', sha256]) {
      await expect(page.getByText(text, { exact: true })).toBeVisible()
    }
  })

  test('what is shown stays the same elements when React takes the page over', async ({ page }) => {
    await page.goto('/download', { waitUntil: 'commit' })
    const heading = page.getByRole('main').getByRole('heading', { level: 2 }).first()
    const code = page.getByRole('img', { name: /^Mã QR để tải bản/ }).first()
    const shown = await Promise.all([heading.elementHandle(), code.elementHandle()])
    await hydrated(page.getByRole('button', { name: 'Xem tất cả phiên bản' }))
    for (const element of shown) expect(await element!.evaluate(({ isConnected }) => isConnected)).toBe(true)
  })

  test('an answer that comes before React has taken the page over changes the page afterwards', async ({
    page,
  }) => {
    // Each piece of React's work waits, as on a slow phone; the answer does not.
    await page.addInitScript((wait_ms) => {
      const send = MessagePort.prototype.postMessage
      MessagePort.prototype.postMessage = function (message: unknown) {
        setTimeout(() => send.call(this, message), wait_ms)
      }
    }, 300)
    await answerSettings(page, (settings) => ({
      ...settings,
      pc_file: JSON.stringify({ version: '9.9.9', size_bytes: 52_428_800 }),
    }))
    await page.goto('/download', { waitUntil: 'commit' })
    const version = page
      .locator('[data-for=pc]')
      .getByText(/^\d+\.\d+\.\d+$/)
      .first()
    const shown = await version.elementHandle()
    await expect(version).toHaveText('9.9.9')
    expect(await shown!.evaluate(({ isConnected }) => isConnected)).toBe(true)
  })

  test('codes for the phone are there to be scanned', async ({ page }) => {
    await page.goto('/download')
    const codes = page.getByRole('img', { name: /^Mã QR để tải bản/ })
    await expect(codes).toHaveCount(3)
    await codes.first().scrollIntoViewIfNeeded()
    await expect
      .poll(() => codes.first().evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0)
  })
})

test('the iPhone guide shows four pictures of steps and the way to the file', async ({ page }) => {
  await page.goto('/download/ios')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cài game trên iPhone, iPad')
  const pictures = page.locator('main ol img')
  await expect(pictures).toHaveCount(4)
  for (const picture of await pictures.all()) {
    await picture.scrollIntoViewIfNeeded()
    await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(480)
  }
  expect(await names(page)).toEqual(['Tải bản iOS', 'Tải bản iOS có auto'])
})

test('the community page shows what is set and nothing else', async ({ page }) => {
  await answerSettings(page, () => ({
    group_link: 'https://facebook.example.com/g',
    zalo_box_link_2: 'https://zalo.example.com/2',
    zalo_box_link_7: 'https://zalo.example.com/7',
  }))
  await page.goto('/community')
  const places = page.getByRole('main').getByRole('link')
  await expect(places).toHaveCount(3)
  for (const [index, name] of ['Nhóm Facebook', 'Box Zalo 2', 'Box Zalo 7'].entries()) {
    await expect(places.nth(index)).toContainText(name)
  }
  await expect(places.nth(1)).toHaveAttribute('href', 'https://zalo.example.com/2')
  // What is true of all boxes is written once.
  await expect(page.getByText('Trò chuyện cùng người chơi.')).toHaveCount(1)
})

test('a community without meeting places has a message', async ({ page }) => {
  await answerSettings(page, () => ({}))
  await page.goto('/community')
  await expect(page.getByText('Chưa có nhóm nào được mở.')).toBeVisible()
})
