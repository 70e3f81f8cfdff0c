import { createHash } from 'node:crypto'
import { expect } from '../player/fixtures.ts'
import { approveProposals, aProvedStaffMember, storeSetting } from '../player/staff.ts'
import { openConsole, prove, test, giveReason } from './staff-page.ts'

test(
  'two owners change the link of a version for visitors',
  { tag: '@long' },
  async ({ page, aStaff, request, portal, consoleErrors }) => {
    consoleErrors.expect(/status of 409/)
    const owner = await aStaff('owner')
    const other = await aProvedStaffMember(request, portal.dataDir, 'owner')
    const { pc: before = '' } = (await (await request.get('/api/settings')).json()) as { pc?: string }
    const link = 'https://tai.example.com/ban-moi.zip'
    const field = page.getByRole('textbox', { name: 'PC', exact: true })
    try {
      await openConsole(page, owner, '/downloads')
      await expect(page.getByRole('heading', { level: 1, name: 'Tải game' })).toBeVisible()
      await expect(page.getByRole('textbox', { name: 'Tên trang' })).toHaveCount(0)
      await field.fill(link)
      await page.getByRole('button', { name: 'Lưu thay đổi' }).click()
      await giveReason(page, 'Lưu thay đổi', 'Bản cập nhật tháng này')
      await prove(page, owner)
      await expect(page.getByText('Đã gửi đề xuất, chờ người thứ hai duyệt')).toBeVisible()
      await expect(field).toHaveValue(before)
      await approveProposals(request, other)

      await page.goto('/download')
      await expect(page.locator(`a[href="${link}"]`).first()).toBeAttached()

      await page.addInitScript((token) => sessionStorage.setItem('console-session', token), owner.token)
      await page.goto('/admin/audit?subject_type=setting&subject_id=pc')
      await page.getByRole('link', { name: '“PC”', exact: true }).first().click()
      await expect(page.getByRole('heading', { level: 1, name: 'Tải game' })).toBeVisible()
      await expect(field).toBeInViewport()
    } finally {
      await storeSetting(portal.dataDir, { key: 'pc', value: before })
    }
  },
)

test('size and SHA-256 of a download are computed from its file, not typed', async ({ page, aStaff }) => {
  await openConsole(page, await aStaff('owner'), '/downloads')
  const fields = page.getByRole('group', { name: 'Tệp Android', exact: true })
  await expect(fields.getByRole('textbox')).toHaveCount(1)
  const bytes = Buffer.from('một tệp cài đặt')
  await fields
    .getByLabel('Tính dung lượng và SHA-256 từ tệp')
    .setInputFiles({ name: 'game.apk', mimeType: 'application/octet-stream', buffer: bytes })
  const digest = createHash('sha256').update(bytes).digest('hex')
  await expect(fields.getByRole('status')).toHaveText(`${bytes.length} byte · SHA-256: ${digest}`)
  await fields.getByRole('button', { name: 'Bỏ dung lượng và SHA-256' }).click()
  await expect(fields.getByRole('status')).toContainText('Chưa có dung lượng')
})
