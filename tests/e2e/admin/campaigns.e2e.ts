import { readFile } from 'node:fs/promises'
import type { Browser, Locator, Page } from '@playwright/test'
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
import { choose, consoleOf, giveReason, openConsole, prove } from './staff-page.ts'

// What is promised here would be promised to other tests' players.
const portal = useSeparatePortal()

/** Who plans a campaign, and another one who has to start it. */
const test = base.extend<{ owner: StaffMember; other: StaffMember }>({
  owner: async ({ request }, use) => use(await aProvedStaffMember(request, portal.dataDir, 'owner')),
  other: async ({ request }, use) => use(await aStaffMember(request, portal.dataDir, 'owner')),
})
test.beforeEach(() => leaveOwnersBehind(portal.dataDir))

type Approving = {
  who: StaffMember
  title: string
  /** Looks at the proposal before. */
  read?: (proposal: Locator, page: Page) => Promise<void>
}

/** Approves the proposal of that title, at a browser of their own: they sign in once, with a code that counts once. */
async function approve(browser: Browser, baseURL: string, { who, title, read }: Approving) {
  const page = await consoleOf(browser, baseURL, who)
  await page.goto('/admin/proposals')
  const proposal = page.getByRole('article', { name: title })
  await read?.(proposal, page)
  await proposal.getByRole('button', { name: 'Duyệt' }).click()
  await giveReason(page, 'Duyệt')
  await prove(page, who)
  await expect(proposal).toHaveCount(0)
  await page.context().close()
}

/** Counts from now on how often a person presses something with the pointer, and into which fields they enter something. */
async function countHand(page: Page): Promise<() => Promise<{ clicks: number; fields: number }>> {
  await page.evaluate(() => {
    const hand = { clicks: 0, fields: [] as string[] }
    Object.assign(globalThis, { hand })
    addEventListener(
      'click',
      ({ isTrusted, detail }) => (hand.clicks += isTrusted && detail > 0 ? 1 : 0),
      true,
    )
    addEventListener('input', ({ target }) => hand.fields.push((target as HTMLInputElement).name), true)
  })
  return () =>
    page.evaluate(() => {
      const { clicks, fields } = (globalThis as unknown as { hand: { clicks: number; fields: string[] } })
        .hand
      return { clicks, fields: new Set(fields).size }
    })
}

test('an owner plans a first promotion in at most 6 clicks and 8 fields, another approves it once, and a player reads it before paying', async ({
  page,
  browser,
  baseURL,
  request,
  owner,
  other,
  consoleErrors,
}) => {
  test.setTimeout(120_000)
  // Only the second person has to prove who they are; what is asked for twice is refused once.
  consoleErrors.expect(/status of 409/)
  const title = `Nạp cuối tuần ${Date.now()}`
  await openConsole(page, owner)
  await expect(page.getByRole('heading', { level: 1, name: 'Tổng quan' })).toBeVisible()
  // From the overview of a portal without a budget until the proposal is sent; the second person's press comes on top.
  const counted = await countHand(page)
  await choose(page, 'Khuyến mãi')
  await page.getByRole('button', { name: 'Lập khuyến mãi' }).click()
  const dialog = page.getByRole('dialog')
  const shown = dialog.locator('input, select, textarea').filter({ visible: true })
  await expect(dialog.getByLabel('Ngân sách', { exact: true })).toHaveValue('new')
  expect(await shown.count()).toBeLessThanOrEqual(8)
  await dialog.getByLabel('Tên khuyến mãi').fill(title)
  await dialog.getByLabel('Phần trăm', { exact: true }).fill('20')
  await dialog.getByLabel('Tối đa mỗi người').fill('100000')
  await dialog.getByLabel('Tổng tối đa').fill('500000')
  await expect(dialog).toContainText('Tặng thêm 20% TCoin khi nạp, tối đa 100,000 TCoin mỗi người')
  await expect(dialog).toContainText('Nếu chạy trong 90 ngày qua thì đã tốn')
  await expect(dialog).toContainText('Ngân sách được cấp thêm 500,000 TCoin cùng lúc chạy')
  await expectAccessibleInBothSchemes(page)
  await giveReason(page, 'Gửi đề xuất')
  await expect(page.getByRole('row', { name: title })).toContainText('Chờ duyệt')
  const { clicks, fields } = await counted()
  expect(clicks).toBeLessThanOrEqual(6)
  expect(fields).toBeLessThanOrEqual(8)
  test.info().annotations.push({ type: 'count', description: `${clicks} clicks, ${fields} fields` })

  await approve(browser, baseURL ?? '', {
    who: other,
    title: `Chạy khuyến mãi ${title}`,
    async read(proposal, second) {
      const terms = ['Tặng thêm 20% TCoin', '+500,000 TCoin', 'Tốn nhiều nhất', '500,000 TCoin ≈ 500,000 đ']
      for (const term of terms) await expect(proposal).toContainText(term)
      await expectAccessible(second)
    },
  })
  await page.reload()
  await expect(page.getByRole('row', { name: title })).toContainText('Đang chạy')
  await page.goto('/admin/budgets')
  await expect(page.getByRole('row', { name: title })).toContainText('500,000')
  await page.goto('/admin/promotions')

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

test('a form of a campaign says what is missing, and a planned one is changed and copied', async ({
  page,
  owner,
}) => {
  const title = `Mở máy chủ ${Date.now()}`
  await openConsole(page, owner, '/promotions')
  await page.getByRole('button', { name: 'Lập khuyến mãi' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Gửi đề xuất' }).click()
  for (const message of [
    'Vui lòng nhập tên',
    'Nhập phần trăm, từ 1 đến 100',
    'Nhập số TCoin tối đa mỗi người',
    'Vui lòng nhập lý do',
  ])
    await expect(dialog.getByText(message)).toHaveCount(1)
  await expect(dialog.getByLabel('Tên khuyến mãi')).toBeFocused()
  await page.keyboard.type(title)
  await dialog.getByLabel('Phần trăm', { exact: true }).fill('10')
  await dialog.getByLabel('Tối đa mỗi người').fill('50,000')
  await dialog.getByLabel('Tổng tối đa').fill('')
  await expect(dialog.getByText('Nhập tổng số TCoin tối đa')).toBeVisible()
  await dialog.getByLabel('Tổng tối đa').fill('300,000')
  await dialog.getByLabel('Ngân sách', { exact: true }).selectOption('Ngân sách mới')
  await dialog.getByText('Thêm điều kiện').click()
  await dialog.getByLabel('Kết thúc').fill('')
  await dialog.getByLabel('Sau khi lập').selectOption('Chỉ lập, đề xuất chạy sau')
  await giveReason(page, 'Lập')
  await expect(dialog.getByText('Chọn giờ kết thúc')).toBeVisible()
  await dialog.getByRole('button', { name: '30 ngày' }).click()
  await giveReason(page, 'Lập')
  const row = page.getByRole('row', { name: title })
  await expect(row).toContainText('Chưa chạy')

  await row.getByRole('button', { name: `Sửa: ${title}` }).click()
  await dialog.getByLabel('Phần trăm', { exact: true }).fill('15')
  await expectAccessible(page)
  await giveReason(page, 'Lưu')
  await expect(row).toContainText('Tặng thêm 15% TCoin')

  await row.getByRole('button', { name: `Chạy khuyến mãi: ${title}` }).click()
  await expect(dialog).toContainText('Ngân sách được cấp thêm 300,000 TCoin')
  await page.keyboard.press('Escape')

  await row.getByRole('button', { name: `Sao chép: ${title}` }).click()
  await expect(dialog.getByLabel('Tên khuyến mãi')).toHaveValue(`${title} (2)`)
  await expect(dialog.getByLabel('Phần trăm', { exact: true })).toHaveValue('15')
  await expect(dialog.getByRole('button', { name: '30 ngày' })).toHaveAttribute('aria-pressed', 'true')
  await giveReason(page, 'Gửi đề xuất')
  await expect(page.getByRole('row', { name: `${title} (2)` })).toContainText('Chờ duyệt')
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
    await dialog.getByRole('button', { name: '3 ngày' }).click()
    await expectAccessible(page)
    await giveReason(page, 'Gửi đề xuất')
    await expect(dialog.getByRole('listitem')).toHaveCount(10)
    await expect(dialog).toContainText('và 10 mã nữa trong tệp')
    await expectAccessible(page)
    const saving = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Tải tệp CSV' }).click()
    const codes = (await readFile(await (await saving).path(), 'utf8')).trim().split('\n')
    expect(codes).toHaveLength(20)
    await dialog.getByRole('button', { name: 'Đã lưu, đóng' }).click()
    await expect(page.getByRole('row', { name: 'Mã Tết' })).toContainText('Chờ duyệt')

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
    await dialog.getByLabel('Nạp đủ (VND)').fill('50,000')
    await dialog.getByLabel('Món', { exact: true }).fill('vàng khối')
    await dialog.getByLabel('Số lượng').fill('500')
    await giveReason(page, 'Gửi đề xuất')
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
    await giveReason(page, 'Gửi đề xuất')
    await expect(page.getByRole('row', { name: title })).toContainText('Chờ duyệt')

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

test('a tournament is copied to the same days of a week to come', async ({ page, owner }) => {
  await openConsole(page, owner, '/tournaments')
  const link = page.getByRole('main').getByRole('table').getByRole('link').first()
  const name = (await link.textContent()) ?? ''
  await link.click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await page.getByRole('button', { name: 'Sao chép' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Tên giải')).toHaveValue(`${name} (2)`)
  await giveReason(page, 'Lưu')
  await expect(page.getByRole('heading', { level: 1, name: `${name} (2)` })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Sắp mở đăng ký')
})
