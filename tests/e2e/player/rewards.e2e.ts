import type { Page } from '@playwright/test'
import { consoleOf, giveReason, openConsole, prove } from '../admin/staff-page.ts'
import { expectAccessible } from '../accessible.ts'
import { expect, order, pay, registerTrader, signIn, test } from './fixtures.ts'
import { useSeparatePortal } from './separate-portal.ts'
import { aProvedStaffMember, aStaffMember, type StaffMember } from './staff.ts'

// A programme counts for everybody.
let owner: StaffMember
let other: StaffMember
useSeparatePortal(async (request, { dataDir }) => {
  owner = await aProvedStaffMember(request, dataDir, 'owner')
  other = await aStaffMember(request, dataDir, 'owner')
})

const pickCharacter = (page: Page) =>
  page.getByRole('group', { name: 'Nhân vật nhận quà' }).getByRole('radio').first().check()

/** The dialog about what was taken, until the goods are in the game. */
async function followArrival(page: Page): Promise<void> {
  const done = page.getByRole('alertdialog', { name: 'Thành công' })
  await expect(done).toContainText('vào game', { timeout: 30_000 })
  await expectAccessible(page)
  await done.getByRole('button', { name: 'Xác nhận' }).click()
}

test('a player checks in once a day, by keyboard too, and finds the goods among what they got', async ({
  page,
  request,
}) => {
  const player = await registerTrader(request, 0)
  await signIn(page, player.token)
  await page.goto('/user/profile')
  await page.getByRole('main').getByRole('link', { name: 'Điểm danh hằng ngày' }).click()
  await expect(page.getByText('Đã điểm danh 0 ngày')).toBeVisible()
  await pickCharacter(page)
  await page.getByRole('button', { name: 'Điểm danh nhận quà' }).focus()
  await page.keyboard.press('Enter')
  await followArrival(page)
  await expect(page.getByText('Bạn đã điểm danh hôm nay')).toBeVisible()
  await expect(page.getByText('Đã điểm danh 1 ngày')).toBeVisible()
  await expect(page.locator('[aria-current=date]')).toContainText('Đã nhận')
  await page.reload()
  await expect(page.getByText('Bạn đã điểm danh hôm nay')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Điểm danh nhận quà' })).toHaveCount(0)
  await page.goto('/user/deliveries')
  await expect(page.getByRole('main')).toContainText('Quà tặng:')
})

test('an owner plans milestones, another starts them, and a player who recharged takes the goods', async ({
  page,
  browser,
  baseURL,
  request,
  consoleErrors,
}) => {
  test.setTimeout(120_000)
  // Only the second person has to prove who they are.
  consoleErrors.expect(/status of 409/)
  const title = 'Mốc nạp mùa lễ hội'
  await openConsole(page, owner, '/milestones')
  await page.getByRole('button', { name: 'Lập mốc nạp' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Tên chương trình').fill(title)
  const at = (hours: number) => new Date(Date.now() + (hours + 7) * 3_600_000).toISOString().slice(0, 16)
  await dialog.getByLabel('Bắt đầu').fill(at(-1))
  await dialog.getByLabel('Kết thúc').fill(at(24))
  await dialog.getByLabel('Các mốc').fill('50,000: 500 vàng khối')
  await giveReason(page, 'Lập mốc nạp')
  await expect(dialog).toContainText('Mỗi dòng cần dạng “100,000: 500 lượng”')
  await dialog.getByLabel('Các mốc').fill('50,000: 500 lượng\n900,000: 9,000 lượng + 20,000 yên')
  await expectAccessible(page)
  await giveReason(page, 'Lập mốc nạp')
  await page.getByRole('button', { name: `Chạy mốc nạp: ${title}` }).click()
  await expect(page.getByRole('dialog')).toContainText('50,000 VND nhận 500 lượng')
  await giveReason(page, 'Chạy')

  const second = await consoleOf(browser, baseURL ?? '', other)
  await second.goto('/admin/proposals')
  const proposal = second.getByRole('article', { name: `Chạy mốc nạp ${title}` })
  await proposal.getByRole('button', { name: 'Duyệt' }).click()
  await giveReason(second, 'Duyệt')
  await prove(second, other)
  await expect(proposal).toHaveCount(0)
  await second.context().close()

  const context = await browser.newContext({ baseURL: baseURL ?? '', locale: 'vi-VN' })
  const site = await context.newPage()
  await site.goto('/milestones')
  await expect(site.getByRole('main')).toContainText('9,000 lượng và 20,000 yên')
  await expect(site.getByRole('button', { name: /^Nhận quà mốc/ })).toHaveCount(0)
  const player = await registerTrader(request, 0)
  const { code } = await order(request, player.token, { channel: 3, amount: 60_000 })
  await pay(request, player.token, { code })
  await signIn(site, player.token)
  await site.goto('/recharge')
  // It is read when it comes near the screen.
  await site.getByRole('contentinfo').scrollIntoViewIfNeeded()
  const card = site.getByRole('region', { name: title })
  await expect(card.getByRole('progressbar')).toHaveAttribute('aria-valuetext', /tới mốc 900,000 VND/)
  await card.getByRole('link', { name: /Nhận quà \(1\)/ }).click()
  await pickCharacter(site)
  await expectAccessible(site)
  await site.getByRole('button', { name: 'Nhận quà mốc 50,000 VND' }).click()
  await followArrival(site)
  await expect(site.getByRole('listitem').filter({ hasText: '500 lượng' }).first()).toContainText('Đã nhận')
  await context.close()
  await page.reload()
  await expect(page.getByRole('row', { name: title })).toContainText('500 lượng (1 lượt nhận)')
})
