import { expect, test } from '../player/fixtures.ts'
import { aStaffMember, saveSetting } from '../player/staff.ts'
import { openConsole } from './staff-page.ts'

test('an editor changes the link of a version, which visitors then get', async ({
  page,
  request,
  portal,
}) => {
  const editor = await aStaffMember(request, portal.dataDir, 'editor')
  const owner = await aStaffMember(request, portal.dataDir, 'owner')
  const { pc: before = '' } = (await (await request.get('/api/settings')).json()) as { pc?: string }
  const link = 'https://tai.example.com/ban-moi.zip'
  try {
    await openConsole(page, editor, '/downloads')
    await expect(page.getByRole('heading', { level: 1, name: 'Tải game' })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Tên trang' })).toHaveCount(0)
    await page.getByRole('textbox', { name: 'PC', exact: true }).fill(link)
    await page.getByRole('button', { name: 'Lưu thay đổi' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Lí do').fill('Bản cập nhật tháng này')
    await dialog.getByRole('button', { name: 'Lưu thay đổi' }).click()
    await expect(page.getByText('Đã thực hiện')).toBeVisible()

    await page.goto('/download')
    await expect(page.locator(`a[href="${link}"]`).first()).toBeAttached()

    await page.addInitScript((token) => sessionStorage.setItem('console-session', token), owner.token)
    await page.goto('/admin/audit?subject_type=setting&subject_id=pc')
    await page.getByRole('link', { name: '“PC”', exact: true }).first().click()
    await expect(page.getByRole('heading', { level: 1, name: 'Tải game' })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'PC', exact: true })).toBeInViewport()
  } finally {
    await saveSetting(request, { token: owner.token, key: 'pc', value: before })
  }
})
