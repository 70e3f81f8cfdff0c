import type { Locator, Page } from '@playwright/test'
import { appCode } from '#tests/support/players.ts'
import { expectClosedByBack, inHistory } from '../player/dialogs.ts'
import { expect, registerPlayer } from '../player/fixtures.ts'
import { withDatabase } from '../player/portal-database.ts'
import { choose, giveReason, openConsole, test } from './staff-page.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const leaving = (page: Page) => page.getByRole('alertdialog', { name: 'Bỏ những gì đã nhập?' })

const topOf = (dialog: Locator) => dialog.evaluate((element: HTMLElement) => element.offsetTop)

/** A new dialog over the list of categories, with the overview before it in the history. */
async function openCategoryDialog(page: Page) {
  await expect(heading(page, 'Tổng quan')).toBeVisible()
  await choose(page, 'Chuyên mục')
  await press(page, 'Thêm chuyên mục')
  await inHistory(page, 1)
  return page.getByRole('dialog', { name: 'Thêm chuyên mục' })
}

test('the back button closes a dialog or the menu, and a second step leads to the screen before', async ({
  page,
  aStaff,
  isMobile,
}) => {
  await openConsole(page, await aStaff('editor'))
  const dialog = await openCategoryDialog(page)
  await expectClosedByBack(page)

  await press(page, 'Thêm chuyên mục')
  await dialog.getByLabel('Tên').fill('Cẩm nang')
  await inHistory(page, 1)
  const top = await topOf(dialog)
  await page.goBack()
  await expect(leaving(page)).toBeVisible()
  expect(await topOf(dialog)).toBe(top)
  await leaving(page).getByRole('button', { name: 'Quay lại' }).click()
  await expect(dialog.getByLabel('Tên')).toHaveValue('Cẩm nang')
  await inHistory(page, 1)
  await page.goBack()
  await leaving(page).getByRole('button', { name: 'Bỏ', exact: true }).click()
  await expect(page.locator('dialog')).toHaveCount(0)
  await inHistory(page, 0)

  if (isMobile) {
    const menu = page.getByRole('navigation', { name: 'Danh mục' })
    await press(page, 'Mở danh mục')
    await inHistory(page, 1)
    await page.goBack()
    await expect(menu).toBeHidden()
    await expect(page).toHaveURL(/\/admin\/categories$/)
    await press(page, 'Mở danh mục')
    // Its link to the very screen, too.
    await menu.getByRole('link', { name: 'Chuyên mục' }).click()
    await expect(menu).toBeHidden()
    await inHistory(page, 0)
  }
  await page.goBack()
  await expect(heading(page, 'Tổng quan')).toBeVisible()
  await expect(page).toHaveURL(/\/admin$/)
})

test(
  'Escape, pressed again and again, loses nothing that was typed and leaves its dialog open',
  { tag: '@long' },
  async ({ page, aStaff }) => {
    await openConsole(page, await aStaff('editor'))
    const dialog = await openCategoryDialog(page)
    await dialog.getByLabel('Tên').fill('Cẩm nang')
    await page.keyboard.press('Escape')
    await expect(leaving(page)).toBeVisible()
    for (let nth = 0; nth < 5; nth += 1) {
      await page.keyboard.press('Escape')
      await expect(dialog).toBeVisible()
    }
    if (await leaving(page).isVisible()) await leaving(page).getByRole('button', { name: 'Quay lại' }).click()
    await expect(leaving(page)).toBeHidden()
    await expect(dialog).toBeVisible()
    await expect(dialog.getByLabel('Tên')).toHaveValue('Cẩm nang')
    await dialog.getByLabel('Tên').fill('')
    await inHistory(page, 1)
    await page.goBack()
    await expect(page.locator('dialog')).toHaveCount(0)
    await expect(page).toHaveURL(/\/admin\/categories$/)
  },
)

test(
  'the question is closed by the back button, and its form stays',
  { tag: '@long' },
  async ({ page, aStaff }) => {
    await openConsole(page, await aStaff('editor'))
    const dialog = await openCategoryDialog(page)
    await dialog.getByLabel('Mô tả').fill('Từng bước một')
    await dialog.getByRole('button', { name: 'Đóng' }).click()
    await expect(leaving(page)).toBeVisible()
    await inHistory(page, 2)
    await page.goBack()
    await expect(leaving(page)).toBeHidden()
    await inHistory(page, 1)
    await expect(dialog.getByLabel('Mô tả')).toHaveValue('Từng bước một')
    // What was sent is asked about no more.
    await dialog.getByLabel('Tên').fill(`Cẩm nang ${Date.now()}`)
    await dialog.getByRole('button', { name: 'Lưu' }).click()
    await expect(page.locator('dialog')).toHaveCount(0)
    await inHistory(page, 0)
    await page.goBack()
    await expect(heading(page, 'Tổng quan')).toBeVisible()
  },
)

test(
  'a link in a dialog leads on, and back from there to its screen',
  { tag: '@long' },
  async ({ page, aProvedStaff, request }) => {
    const staff = await aProvedStaff('owner')
    const player = await registerPlayer(request)
    await openConsole(page, staff, `/users?q=${player.username}`)
    await page.getByRole('checkbox', { name: /^Chọn dòng này/ }).click()
    await press(page, 'Khóa các người chơi đã chọn')
    await inHistory(page, 1)
    await giveReason(page, 'Thực hiện với 1 dòng', 'Dùng phần mềm gian lận')
    const result = page.getByRole('dialog', { name: /kết quả$/ })
    await expect(result).toBeVisible()
    await result.getByRole('link', { name: player.username }).click()
    await expect(heading(page, `Người chơi ${player.username}`)).toBeVisible()
    await expect(page.locator('dialog')).toHaveCount(0)
    await page.goBack()
    await expect(heading(page, 'Người chơi')).toBeVisible()
    await expect(page).toHaveURL(/\/users\?q=/)
    await inHistory(page, 0)
    await expect(page.locator('dialog')).toHaveCount(0)
  },
)

test(
  'a form that leads to what it made leaves no dialog behind',
  { tag: '@long' },
  async ({ page, aStaff }) => {
    await openConsole(page, await aStaff('editor'))
    await expect(heading(page, 'Tổng quan')).toBeVisible()
    await choose(page, 'Bài viết')
    await press(page, 'Viết bài')
    await inHistory(page, 1)
    const title = `Lễ hội ${Date.now()}`
    await page.getByRole('dialog').getByLabel('Tiêu đề').fill(title)
    await press(page, 'Bắt đầu viết')
    await expect(heading(page, title)).toBeVisible()
    await page.goBack()
    await expect(heading(page, 'Bài viết')).toBeVisible()
    await inHistory(page, 0)
    await page.goBack()
    await expect(heading(page, 'Tổng quan')).toBeVisible()
  },
)

test(
  'a reload with an open dialog shows its screen without it',
  { tag: '@long' },
  async ({ page, aStaff }) => {
    await openConsole(page, await aStaff('editor'))
    await openCategoryDialog(page)
    await page.reload()
    await expect(heading(page, 'Chuyên mục')).toBeVisible()
    await inHistory(page, 0)
    await expect(page.locator('dialog')).toHaveCount(0)
    await page.goBack()
    await expect(heading(page, 'Tổng quan')).toBeVisible()
  },
)

test(
  'the back button neither opens a locked console nor leaves what it covers',
  { tag: '@long' },
  async ({ page, aStaff, consoleErrors }) => {
    consoleErrors.expect(/status of 401/)
    const staff = await aStaff('editor')
    await openConsole(page, staff)
    const dialog = await openCategoryDialog(page)
    await dialog.getByLabel('Tên').fill('Cẩm nang')
    await withDatabase((database) =>
      database.query(
        `UPDATE sessions SET last_used_at = now() - interval '31 minutes' WHERE user_id =
         (SELECT id FROM users WHERE username = $1) AND kind = 'console'`,
        [staff.username],
      ),
    )
    await dialog.getByRole('button', { name: 'Lưu' }).click()
    const lock = page.getByRole('dialog', { name: 'Phiên đang khóa' })
    await expect(lock).toBeVisible()
    await inHistory(page, 2)
    await page.goBack()
    await inHistory(page, 2)
    await expect(lock).toBeVisible()
    await expect(leaving(page)).toHaveCount(0)
    await lock.getByLabel('Mã xác thực hai lớp').fill(appCode(staff.secret, 1))
    await lock.getByRole('button', { name: 'Mở khóa' }).click()
    await expect(lock).toBeHidden()
    await expect(dialog.getByLabel('Tên')).toHaveValue('Cẩm nang')
  },
)
