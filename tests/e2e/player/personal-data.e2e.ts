import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectAccessible } from '../accessible.ts'
import { expect, registerPlayer, registerTrader, signIn, test } from './fixtures.ts'

const section = (page: Page) => page.locator('details', { hasText: 'Dữ liệu cá nhân' })
const openSection = (page: Page) => section(page).locator('summary').click()
const dialog = (page: Page) => page.getByRole('dialog')
const refusal = (page: Page) => page.getByRole('alertdialog', { name: 'Thất bại' })

test(
  'a player downloads what the portal stores of them',
  { tag: '@long' },
  async ({ page, request, consoleErrors }) => {
    consoleErrors.expect(/status of 422/)
    const player = await registerPlayer(request)
    await signIn(page, player.token)
    await page.goto('/user/profile')
    await openSection(page)
    await section(page).getByRole('button', { name: 'Tải dữ liệu của tôi' }).click()
    await expect(dialog(page).getByLabel('Mật khẩu hiện tại')).toBeFocused()
    await expectAccessible(page)
    await dialog(page).getByLabel('Mật khẩu hiện tại').fill('khong-phai-no')
    await dialog(page).getByRole('button', { name: 'Tải về' }).click()
    await expect(refusal(page)).toContainText('Mật khẩu hiện tại không chính xác')
    await refusal(page).getByRole('button', { name: 'Xác nhận' }).click()

    await dialog(page).getByLabel('Mật khẩu hiện tại').fill(player.password)
    const downloading = page.waitForEvent('download')
    await dialog(page).getByRole('button', { name: 'Tải về' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^du-lieu-ca-nhan-\d{4}-\d\d-\d\d\.json$/)
    const text = await readFile(await download.path(), 'utf8')
    expect(JSON.parse(text)).toMatchObject({ account: [{ username: player.username }] })
    await expect(page.getByText('Đã tải dữ liệu của bạn')).toBeVisible()
    await expect(dialog(page)).toHaveCount(0)
  },
)

test('a player asks to be erased and withdraws it', async ({ page, request, consoleErrors }) => {
  consoleErrors.expect(/status of 409/)
  const player = await registerTrader(request, 30_000)
  await signIn(page, player.token)
  await page.goto('/user/profile')
  await expect(section(page)).toContainText('trả lời trong vòng 20 ngày')
  await openSection(page)
  await section(page).getByRole('button', { name: 'Yêu cầu xóa tài khoản' }).click()
  await expect(dialog(page)).toContainText('Bị xóa, không khôi phục được')
  await expect(dialog(page)).toContainText('Được giữ lại, không kèm tên bạn')
  await expectAccessible(page)
  await dialog(page).getByLabel('Mật khẩu hiện tại').fill(player.password)
  await dialog(page).getByRole('button', { name: 'Gửi yêu cầu xóa tài khoản' }).click()
  await expect(refusal(page)).toContainText('TCoin trong ví: đổi lượng, mua quà, chuyển cho người khác')
  await refusal(page).getByRole('button', { name: 'Xác nhận' }).click()
  await dialog(page)
    .getByRole('checkbox', { name: /^Tôi bỏ [\d,]+ TCoin còn trong ví/ })
    .check()
  await dialog(page).getByRole('button', { name: 'Gửi yêu cầu xóa tài khoản' }).click()
  await expect(section(page)).toContainText('Đang chờ')
  await expect(section(page)).toContainText(/trả lời chậm nhất ngày \d\d\/\d\d\/\d{4}/)
  await expect(section(page)).toContainText(/Bạn đã đồng ý bỏ [\d,]+ TCoin/)
  await page.reload()
  await expect(section(page)).toContainText('Đang chờ')
  await expectAccessible(page)

  await section(page).getByRole('button', { name: 'Rút lại yêu cầu' }).click()
  await expect(section(page)).toContainText('Bạn đã rút lại yêu cầu')
  await expect(section(page).getByRole('button', { name: 'Yêu cầu xóa tài khoản' })).toBeVisible()
})
