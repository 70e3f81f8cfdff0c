import { readFile } from 'node:fs/promises'
import type { Browser } from '@playwright/test'
import { expectAccessible, expectAccessibleInBothSchemes } from '../accessible.ts'
import {
  expect,
  order,
  pay,
  registerPlayer,
  registerTrader,
  signIn,
  test as base,
} from '../player/fixtures.ts'
import { followArrival, pickReceiver } from '../player/rewards.ts'
import { useSeparatePortal } from '../player/separate-portal.ts'
import { aProvedStaffMember, aStaffMember, leaveOwnersBehind, type StaffMember } from '../player/staff.ts'
import { consoleOf, giveReason, openConsole, prove } from './staff-page.ts'

// What is promised here would be promised to other tests' players.
const portal = useSeparatePortal()

/** Who plans a campaign, and another one who has to start it. */
const test = base.extend<{ owner: StaffMember; other: StaffMember }>({
  owner: async ({ request }, use) => use(await aProvedStaffMember(request, portal.dataDir, 'owner')),
  other: async ({ request }, use) => use(await aStaffMember(request, portal.dataDir, 'owner')),
})
test.beforeEach(() => leaveOwnersBehind(portal.dataDir))

/** As a field of a moment shows it, so many hours from now. */
const inHours = (hours: number) => new Date(Date.now() + (hours + 7) * 3_600_000).toISOString().slice(0, 16)

/** Approves the proposal of that title, at a browser of their own. */
async function approve(
  browser: Browser,
  baseURL: string,
  { who, title }: { who: StaffMember; title: string },
) {
  const page = await consoleOf(browser, baseURL, who)
  await page.goto('/admin/proposals')
  const proposal = page.getByRole('article', { name: title })
  await proposal.getByRole('button', { name: 'Duyệt' }).click()
  await giveReason(page, 'Duyệt')
  await prove(page, who)
  await expect(proposal).toHaveCount(0)
  await page.context().close()
}

test('an owner fills a budget and plans a promotion, another starts it, and a player reads it before paying', async ({
  page,
  browser,
  baseURL,
  request,
  owner,
  other,
  consoleErrors,
}) => {
  test.setTimeout(120_000)
  // Only the second person has to prove who they are.
  consoleErrors.expect(/status of 409/)
  const title = `Nạp cuối tuần ${Date.now()}`
  await openConsole(page, owner, '/budgets')
  await page.getByRole('button', { name: 'Lập ngân sách' }).click()
  await page.getByRole('textbox', { name: 'Tên ngân sách' }).fill(title)
  await giveReason(page, 'Lập ngân sách')
  await page.getByRole('button', { name: `Cấp hoặc rút TCoin: ${title}` }).click()
  await page.getByRole('textbox', { name: 'Số TCoin' }).fill('500,000')
  await giveReason(page, 'Cấp hoặc rút TCoin')
  await expect(page.getByRole('row', { name: title })).toContainText('500,000')
  await expectAccessible(page)

  await page.goto('/admin/promotions')
  await page.getByRole('button', { name: 'Lập khuyến mãi' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Tên khuyến mãi').fill(title)
  await dialog.getByLabel('Ngân sách').selectOption(`${title} (còn 500,000 TCoin)`)
  await dialog.getByLabel('Bắt đầu').fill(inHours(-1))
  await dialog.getByLabel('Kết thúc').fill(inHours(24))
  await dialog.getByLabel('Phần trăm', { exact: true }).fill('20')
  await dialog.getByLabel('Tối đa mỗi người').fill('100000')
  await dialog.getByLabel('Tổng tối đa').fill('500000')
  await dialog.getByRole('button', { name: 'Xem trước và tính chi phí' }).click()
  await expect(dialog).toContainText('Tặng thêm 20% TCoin khi nạp, tối đa 100,000 TCoin mỗi người')
  await expect(dialog).toContainText('Trong 90 ngày qua sẽ tốn')
  await expectAccessible(page)
  await giveReason(page, 'Lập khuyến mãi')
  await page.getByRole('button', { name: `Chạy khuyến mãi: ${title}` }).click()
  await giveReason(page, 'Chạy')

  await approve(browser, baseURL ?? '', { who: other, title: `Chạy khuyến mãi ${title}` })
  await page.reload()
  await expect(page.getByRole('row', { name: title })).toContainText('Đang chạy')

  const player = await registerPlayer(request)
  const context = await browser.newContext({ baseURL: baseURL ?? '' })
  const site = await context.newPage()
  await signIn(site, player.token)
  await site.goto('/recharge')
  const note = site.getByRole('region', { name: title })
  await expect(note).toContainText('Tặng thêm 20% TCoin khi nạp')
  await site.getByRole('radio', { name: /ACB/ }).check({ force: true })
  await site.getByRole('textbox', { name: 'Số tiền' }).fill('50000')
  await expect(note).toContainText('Được thưởng thêm 10,000')
  await expectAccessible(site)
  await site.getByRole('button', { name: 'Tạo mã QR' }).click()
  await expect(site.getByText(`bạn được thưởng thêm 10,000 TCoin (${title})`)).toBeVisible()
  await expectAccessible(site)
  await context.close()

  await page.getByRole('button', { name: `Dừng khuyến mãi: ${title}` }).click()
  await giveReason(page, 'Dừng')
  await expect(page.getByRole('row', { name: title })).toContainText('Đã dừng')
})

test(
  'an owner makes codes, another starts them, and a player gets the goods for a character',
  { tag: '@long' },
  async ({ page, browser, baseURL, request, owner, other, consoleErrors }) => {
    test.setTimeout(120_000)
    // Only the second person has to prove who they are; and the code is used up at last.
    consoleErrors.expect(/status of (409|422)/)
    await openConsole(page, owner, '/gift-codes')
    await page.getByRole('button', { name: 'Tạo đợt mã' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Tên đợt').fill('Mã Tết')
    await dialog.getByLabel('Kiểu mã').selectOption('Nhiều mã, mỗi mã dùng một lần')
    await dialog.getByLabel('Số mã').fill('20')
    await dialog.getByLabel('Tặng', { exact: true }).selectOption('Quà trong game')
    await dialog.getByLabel('Món', { exact: true }).fill('lượng')
    await dialog.getByLabel('Số lượng').fill('500')
    await dialog.getByRole('button', { name: 'Thêm món' }).click()
    const second = dialog.getByRole('group', { name: 'Quà trong game' })
    await second.getByLabel('Món', { exact: true }).nth(1).fill('pet')
    await expect(second).toContainText('Tối đa 99 mỗi lần')
    await second.getByLabel('Số lượng').nth(1).fill('1')
    await second.getByLabel('Số ngày (nếu có)').nth(1).fill('7')
    await dialog.getByLabel('Bắt đầu').fill(inHours(-1))
    await dialog.getByLabel('Kết thúc').fill(inHours(24))
    await expectAccessible(page)
    await giveReason(page, 'Tạo đợt mã')
    await expect(dialog.getByRole('listitem')).toHaveCount(10)
    await expect(dialog).toContainText('và 10 mã nữa trong tệp')
    await expectAccessible(page)
    const saving = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Tải tệp CSV' }).click()
    const codes = (await readFile(await (await saving).path(), 'utf8')).trim().split('\n')
    expect(codes).toHaveLength(20)
    await dialog.getByRole('button', { name: 'Đã lưu, đóng' }).click()
    await page.getByRole('button', { name: 'Chạy đợt mã: Mã Tết' }).click()
    await giveReason(page, 'Chạy')

    await approve(browser, baseURL ?? '', { who: other, title: 'Chạy đợt mã quà Mã Tết' })

    const player = await registerTrader(request, 50_000)
    const context = await browser.newContext({ baseURL: baseURL ?? '' })
    const site = await context.newPage()
    await signIn(site, player.token)
    await site.goto('/gift')
    const section = site.getByRole('region', { name: 'Nhập mã quà' })
    await section.getByRole('textbox', { name: 'Mã quà' }).fill(codes[0]?.toLowerCase() ?? '')
    await section.getByLabel('Nhân vật nhận quà').selectOption({ index: 1 })
    await section.getByRole('button', { name: 'Nhận quà' }).click()
    await expect(site.getByRole('alertdialog')).toContainText('Bạn đã nhận 500 lượng')
    await site.keyboard.press('Escape')
    await expect(section).toContainText('Bạn đã nhận 500 lượng')
    await expectAccessibleInBothSchemes(site)
    await section.getByRole('textbox', { name: 'Mã quà' }).fill(codes[0] ?? '')
    await section.getByRole('button', { name: 'Nhận quà' }).click()
    await expect(section.getByText('Bạn đã nhận quà của đợt mã này rồi')).toBeVisible()
    await site.keyboard.press('Escape')
    await section.getByRole('link', { name: /biên nhận/i }).click()
    await expect(site).toHaveURL(/\/user\/deliveries\/[0-9a-f-]{36}$/)
    await expect(site.getByRole('main')).toContainText('500 lượng')
    await context.close()

    await page.reload()
    await expect(page.getByRole('row', { name: 'Mã Tết' })).toContainText('1 / 20')
    await page.getByRole('link', { name: 'Xem lượt dùng: Mã Tết' }).click()
    await expect(page.getByRole('row', { name: player.username })).toBeVisible()
  },
)

test(
  'an owner plans milestones, another starts them, and a player who recharged takes the goods',
  { tag: '@long' },
  async ({ page, browser, baseURL, request, owner, other, consoleErrors }) => {
    test.setTimeout(120_000)
    // Only the second person has to prove who they are.
    consoleErrors.expect(/status of 409/)
    const title = 'Mốc nạp mùa lễ hội'
    await openConsole(page, owner, '/milestones')
    await page.getByRole('button', { name: 'Lập mốc nạp' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Tên chương trình').fill(title)
    await dialog.getByLabel('Bắt đầu').fill(inHours(-1))
    await dialog.getByLabel('Kết thúc').fill(inHours(24))
    await dialog.getByLabel('Nạp đủ (VND)').fill('50,000')
    await dialog.getByLabel('Món', { exact: true }).fill('vàng khối')
    await dialog.getByLabel('Số lượng').fill('500')
    await giveReason(page, 'Lập mốc nạp')
    await expect(dialog).toContainText('Mỗi mốc cần số tiền và quà')
    await dialog.getByLabel('Món', { exact: true }).fill('lượng')
    await dialog.getByRole('button', { name: 'Thêm mốc' }).click()
    await dialog.getByLabel('Nạp đủ (VND)').nth(1).fill('900,000')
    const goods = dialog.getByRole('group', { name: 'Quà của mốc 2' })
    await goods.getByLabel('Món', { exact: true }).fill('lượng')
    await goods.getByLabel('Số lượng').fill('9,000')
    await goods.getByRole('button', { name: 'Thêm món' }).click()
    await goods.getByLabel('Món', { exact: true }).nth(1).fill('yên')
    await goods.getByLabel('Số lượng').nth(1).fill('20,000')
    await expectAccessible(page)
    await giveReason(page, 'Lập mốc nạp')
    await page.getByRole('button', { name: `Chạy mốc nạp: ${title}` }).click()
    await expect(page.getByRole('dialog')).toContainText('50,000 VND nhận 500 lượng')
    await giveReason(page, 'Chạy')

    await approve(browser, baseURL ?? '', { who: other, title: `Chạy mốc nạp ${title}` })

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
    await pickReceiver(site)
    await expectAccessible(site)
    await site.getByRole('button', { name: 'Nhận quà mốc 50,000 VND' }).click()
    await followArrival(site)
    await expect(site.getByRole('listitem').filter({ hasText: '500 lượng' }).first()).toContainText('Đã nhận')
    await context.close()
    await page.reload()
    await expect(page.getByRole('row', { name: title })).toContainText('500 lượng (1 lượt nhận)')
  },
)
