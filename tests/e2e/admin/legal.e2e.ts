import { expect, registerPlayer, signIn, test } from '../player/fixtures.ts'
import { useSeparatePortal } from '../player/separate-portal.ts'
import { aProvedStaffMember, type StaffMember } from '../player/staff.ts'
import { expectAccessible } from '../accessible.ts'
import { choose, prove, signInToConsole, giveReason } from './staff-page.ts'

let owner: StaffMember

// A new version opens a question on every page of every player.
useSeparatePortal(async (request, { dataDir }) => {
  owner = await aProvedStaffMember(request, dataDir, 'owner')
})

test('a legal text is drafted, previewed, published and read', async ({ page, consoleErrors }) => {
  // The first try is refused until the second factor is proved again.
  consoleErrors.expect(/status of 409/)
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
  await giveReason(page, 'Phát hành', 'Luật sư đã xem')
  await prove(page, owner)
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

test('a player has to agree once to a new version', async ({ page, request }) => {
  const player = await registerPlayer(request)
  const headers = { authorization: `Bearer ${owner.token}` }
  const { version } = (await (await request.get('/api/legal/terms')).json()) as { version: number }
  const published = await request.post('/api/operator/legal/terms/versions', {
    headers,
    data: { content: '<p>Điều khoản mới.</p>', version, reason: 'Luật sư đã xem' },
  })
  expect(published.status(), await published.text()).toBe(201)
  const named = `Điều khoản sử dụng (bản ${version + 1})`

  await signIn(page, player.token)
  await page.goto('/community')
  const notice = page.getByRole('region', { name: 'Mời bạn đọc và xác nhận' })
  await expect(notice.getByRole('link')).toHaveText([named])
  await expectAccessible(page)
  await notice.getByRole('link', { name: named }).click()
  await expect(page.getByText('Điều khoản mới.')).toBeVisible()
  await notice.getByRole('button', { name: 'Để sau' }).click()
  await expect(notice).toHaveCount(0)
  await page.goto('/user/consents')
  await expect(page.getByText('Bạn chưa xác nhận bản này.')).toBeVisible()
  await expect(notice).toHaveCount(0)
  await expectAccessible(page)

  // Another browser of the same player has not put it aside.
  await page.evaluate(() => localStorage.removeItem('texts-later'))
  await page.reload()
  await notice.getByRole('button', { name: 'Đồng ý' }).click()
  await expect(notice).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('main').getByText('Bạn chưa xác nhận bản này.')).toHaveCount(0)
  await expect(page.getByRole('main')).toContainText(`Đã đồng ý bản ${version + 1} lúc`)
  await expect(page.getByRole('main')).toContainText('thông báo có bản mới')
})
