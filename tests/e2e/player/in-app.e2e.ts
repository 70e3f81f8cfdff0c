import { stateOf } from '#tests/support/page-states/all-states.ts'
import { openState } from '#tests/support/page-states/page-state.ts'
import { expect, signIn, test } from './fixtures.ts'

// Any worker may take the next of these.
test.describe.configure({ mode: 'parallel' })

const ZALO =
  'Mozilla/5.0 (Linux; Android 13; RMX3630) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/125.0.6422.165 Mobile Safari/537.36 Zalo android/260501901 ZaloTheme/light ZaloLanguage/vi'
const FACEBOOK_IOS =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/21F79 [FBAN/FBIOS;FBAV/463.1;FBDV/iPhone12,5;FBMD/iPhone;FBSN/iOS;FBSV/17.5]'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'

test.describe('in Zalo on Android', () => {
  test.use({ userAgent: ZALO })

  test('the download page offers Chrome, and a QR code is saved by a finger held on it', async ({
    page,
    callers,
    consoleErrors,
  }) => {
    // The event stream of the order.
    consoleErrors.expect(/ERR_FAILED/)
    await page.goto('/download')
    const hint = page.getByRole('complementary').filter({ hasText: 'trong Zalo' })
    const address = await hint.getByRole('link', { name: 'Mở bằng Chrome' }).getAttribute('href')
    expect(address).toMatch(
      /^intent:\/\/[^/]+\/download#Intent;scheme=http;package=com\.android\.chrome;.*;end$/,
    )
    expect(decodeURIComponent(address!)).toContain(`S.browser_fallback_url=${page.url()}`)

    // As most views inside apps: there is nothing to share with, and a download leads nowhere.
    await page.addInitScript(() => Object.assign(navigator, { canShare: undefined }))
    await openState(page, stateOf('order'), callers)
    const code = page.getByRole('img', { name: /^Mã VietQR/ })
    await expect(code).toHaveAttribute('src', /^data:image\/svg/)
    await page.getByRole('button', { name: 'Lưu mã QR' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'Nhấn giữ vào mã QR' })).toBeVisible()
    await expect(code).toHaveAttribute('src', /^data:image\/png/)
    await expect(page.getByText('Đang tải mã QR')).toHaveCount(0)
  })
})

test.describe('in Facebook on an iPhone', () => {
  test.use({ userAgent: FACEBOOK_IOS })

  test('the way to Safari is told in words', { tag: '@long' }, async ({ page, newcomer }) => {
    await page.goto('/download')
    const hint = page.getByRole('complementary').filter({ hasText: 'trong Facebook' })
    await expect(hint).toContainText('Mở bằng Safari')
    await expect(hint.getByRole('link')).toHaveCount(0)
    await signIn(page, newcomer.token)
    await page.addInitScript(() => Reflect.deleteProperty(window, 'PushManager'))
    await page.goto('/user/notices')
    await expect(
      page.getByRole('complementary').filter({ hasText: 'không bật được thông báo' }),
    ).toBeVisible()
  })
})

test.describe('in Safari', () => {
  test.use({ userAgent: SAFARI })

  test(
    'a QR code is handed to the phone, which saves it',
    { tag: '@long' },
    async ({ page, callers, consoleErrors }) => {
      consoleErrors.expect(/ERR_FAILED/)
      await page.addInitScript(() =>
        Object.assign(navigator, {
          canShare: () => true,
          share: async ({ files }: { files: File[] }) =>
            Object.assign(globalThis, { shared: files.map(({ name, type }) => `${name} ${type}`) }),
        }),
      )
      await openState(page, stateOf('order'), callers)
      await page.getByRole('button', { name: 'Lưu mã QR' }).click()
      await expect
        .poll(() => page.evaluate(() => (globalThis as unknown as { shared?: string[] }).shared))
        .toEqual([expect.stringMatching(/^nap-tcoin-\w+\.png image\/png$/)])
      await page.goto('/download')
      await expect(page.getByRole('complementary')).toHaveCount(0)
    },
  )
})
