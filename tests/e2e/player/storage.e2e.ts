import type { Page } from '@playwright/test'
import { expect, expectSignedIn, test } from './fixtures.ts'

// Any worker may take the next of these.
test.describe.configure({ mode: 'parallel' })

/** Throws as a browser does whose owner has forbidden it to store what pages give it. */
const forbidStorage = (page: Page) =>
  page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('The operation is insecure.', 'SecurityError')
        },
      })
    }
  })

/** Refuses whatever is to be stored, in the shared storage or in both. */
const fillStorage = (page: Page, { isTabFull }: { isTabFull: boolean }) =>
  page.addInitScript((isTabFull) => {
    const real = Storage.prototype.setItem
    Storage.prototype.setItem = function (key: string, value: string) {
      if (isTabFull || this !== sessionStorage) throw new DOMException('full', 'QuotaExceededError')
      real.call(this, key, value)
    }
  }, isTabFull)

async function logIn(page: Page, { username, password }: { username: string; password: string }) {
  await page.goto('/login')
  const dialog = page.getByRole('dialog', { name: 'Đăng nhập' })
  await dialog.getByLabel('Tên đăng nhập').fill(username)
  await dialog.getByLabel('Mật khẩu').fill(password)
  await dialog.getByRole('button', { name: 'Đăng nhập', exact: true }).click()
}

/** What is told, and closed. */
async function expectTold(page: Page, text: RegExp) {
  const told = page.getByRole('alertdialog').or(page.getByRole('dialog')).filter({ hasText: text })
  await expect(told).toBeVisible()
  await told.getByRole('button').last().click()
  await expect(told).toHaveCount(0)
}

test('where storage is forbidden a player signs in for as long as the page is open, and is told so before and after', async ({
  page,
  newcomer,
}) => {
  await forbidStorage(page)
  await logIn(page, newcomer)
  await expectTold(page, /tải lại hoặc đóng trang là phải đăng nhập lại/)
  await page.getByRole('navigation', { name: 'Chính' }).getByRole('link', { name: 'Nạp TCoin' }).click()
  await expect(page).toHaveURL(/\/recharge$/)
  await expectSignedIn(page, newcomer.username)
  await page.reload()
  await expect(page.getByText('Trình duyệt không cho lưu phiên đăng nhập')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('main')).toBeVisible()
  await expect(page.getByText(/không cho lưu/)).toHaveCount(0)
})

test('a player signs in where the storage is full, for the tab, which a reload does not end', async ({
  page,
  newcomer,
}) => {
  await fillStorage(page, { isTabFull: false })
  await logIn(page, newcomer)
  await expectTold(page, /chỉ giữ được trong thẻ này/)
  await page.reload()
  await expectSignedIn(page, newcomer.username)
  await expect(page.getByText(/chỉ giữ được trong thẻ này/)).toHaveCount(0)
})

test(
  'a player signs in where the storage of the tab is full too',
  { tag: '@long' },
  async ({ page, newcomer }) => {
    await fillStorage(page, { isTabFull: true })
    await logIn(page, newcomer)
    await expectTold(page, /tải lại hoặc đóng trang là phải đăng nhập lại/)
  },
)
