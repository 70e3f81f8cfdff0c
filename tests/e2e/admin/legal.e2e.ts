import { expect, test } from '../player/fixtures.ts'
import { useSeparatePortal } from '../player/separate-portal.ts'
import { aStaffMember, type StaffMember } from '../player/staff.ts'
import { choose, expectAccessible, signInToConsole } from './staff-page.ts'

let owner: StaffMember

// A new version is asked about on every page of every player.
useSeparatePortal(async (request, { dataDir }) => {
  owner = await aStaffMember(request, dataDir, 'owner')
})

test('a legal text is written as a draft, previewed, published as a version, and read; the old one stays', async ({
  page,
}) => {
  await signInToConsole(page, owner)
  await choose(page, 'Văn bản pháp lý')
  await expect(page.getByText('cần luật sư đọc').first()).toBeVisible()
  await expectAccessible(page)
  const panel = page.getByRole('region', { name: 'Chính sách hoàn tiền' })
  await panel.getByRole('link', { name: 'Soạn bản mới' }).click()

  const text = page.getByRole('textbox', { name: 'Nội dung bài viết' })
  await expect(text).toContainText('Hoàn TCoin vào ví')
  await expect(page.getByRole('toolbar').getByRole('button', { name: 'Ảnh', exact: true })).toHaveCount(0)
  await text.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('TCoin hoàn trong bảy ngày.')
  await expect(page.getByText(/Đã lưu nháp lúc/)).toBeVisible()
  await page.reload()
  await expect(page.getByText(/Đang viết tiếp bản nháp/)).toBeVisible()
  await expect(text).toHaveText('TCoin hoàn trong bảy ngày.')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Xem trước' }).click()
  await expect(page.getByRole('dialog').getByText('TCoin hoàn trong bảy ngày.')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Phát hành' }).click()
  const dialog = page.getByRole('dialog', { name: 'Phát hành bản 2' })
  await dialog.getByLabel('Lí do').fill('Luật sư đã xem')
  await dialog.getByRole('button', { name: 'Phát hành' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('cần luật sư đọc')).toHaveCount(0)

  await page.getByRole('button', { name: 'Các bản' }).click()
  await expect(page.getByRole('dialog').getByRole('link')).toHaveText(['Bản 2', 'Bản 1'])

  await page.goto('/refunds')
  await expect(page.getByText('TCoin hoàn trong bảy ngày.')).toBeVisible()
  await page.getByRole('link', { name: 'Đọc bản trước (bản 1)' }).click()
  await expect(page).toHaveURL(/\/refunds\/1$/)
  await expect(page.getByText('không còn áp dụng')).toBeVisible()
  await page.getByRole('link', { name: 'Đọc bản đang áp dụng (bản 2)' }).click()
  await expect(page).toHaveURL(/\/refunds$/)
})
