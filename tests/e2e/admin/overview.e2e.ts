import type { Page } from '@playwright/test'
import { formatDay } from '#contract/format.ts'
import { expect, registerTrader, whoIs } from '../player/fixtures.ts'
import { withDatabase } from '../player/portal-database.ts'
import { type StaffMember } from '../player/staff.ts'
import { proposeAdjustment } from './console-rows.ts'
import { aParkedDelivery } from './parked-delivery.ts'
import { expectAccessible } from '../accessible.ts'
import { entryOf, openConsole, test } from './staff-page.ts'

test('the overview shows what waits, also what comes while it is open', async ({ page, aStaff }) => {
  await storeFigures()
  const staff = await aStaff('owner')
  await openConsole(page, staff, '/?period=30')
  await expect(page.getByRole('heading', { level: 1, name: 'Tổng quan' })).toBeVisible()
  const chart = page.getByRole('region', { name: 'Tiền vào và TCoin đã tiêu' })
  await expect(chart.getByRole('application', { name: /^Tiền vào theo kênh/ })).toBeVisible()
  await expectAccessible(page)
  await withDatabase((database) =>
    database.query(
      `INSERT INTO bank_transaction (account_number, direction, amount, state, reason, created_at)
       VALUES ('0011', 'in', 50000, 'review', 'no-code', now() - interval '2 hours')`,
    ),
  )
  await expect(page.getByText('Có khoản chuyển mới chờ kiểm tra')).toBeVisible()
  const waiting = page.getByRole('listitem').filter({ hasText: 'Khoản chuyển chờ ghép' })
  await expect(waiting).toContainText(/Quá hạn.*\d đ.*lâu nhất (\d+ ngày )?\d+ giờ/)
  await expect(page.getByText('không có việc nào đang chờ')).toHaveCount(0)
  const opener = page.getByRole('button', { name: 'Mở danh mục' })
  if (await opener.isVisible()) await opener.click()
  const menu = page.getByRole('navigation', { name: 'Danh mục' })
  await expect(menu.getByRole('button', { name: /^Tiền.*, \d+\+? đang chờ$/ })).toBeVisible()
  await expect(await entryOf(page, 'Hộp tiền vào')).toHaveAccessibleName(/, \d+\+? đang chờ$/)
  if (await opener.isVisible()) await opener.click()
  // In the middle, which in a narrow window lies between its two lines.
  await page.setViewportSize({ width: 340, height: 740 })
  const box = await waiting.getByRole('link', { name: 'Khoản chuyển chờ ghép', exact: true }).boundingBox()
  if (!box) throw new Error('what waits is not shown')
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  await expect(page).toHaveURL(/\/bank-transfers\?state=review$/)
  await page.goBack()

  await page.getByRole('button', { name: /^Xem (cả \d+ mục|phải làm gì)$/ }).click()
  await waiting.getByRole('link', { name: 'Sổ tay: Khoản chuyển chờ ghép' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Tiền vào' })).toBeVisible()
  const section = page.getByRole('region', { name: 'Khoản chuyển chờ ghép' })
  await expect(section.getByRole('heading', { level: 2 })).toBeInViewport()
  await expectAccessible(page)
  await section.getByRole('link', { name: 'Hộp tiền vào' }).click()
  await expect(page).toHaveURL(/\/bank-transfers\?state=review$/)
  await page.goBack()
  await page.getByRole('link', { name: 'Phần của kỹ thuật' }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'Incoming money' })).toBeVisible()
  await page.getByRole('link', { name: 'Phần của người vận hành' }).click()
  await expect(section).toBeVisible()

  await page.goto('/admin/runbooks/restore')
  await page.getByRole('main').getByRole('link', { name: 'upgrade.md' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Nâng cấp' })).toBeVisible()
})

test('a runbook says who may open a screen that its reader may not', async ({ page, aStaff }) => {
  await openConsole(page, await aStaff('cashier'), '/runbooks')
  await expect(page.getByRole('link', { name: 'Game không trả lời' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Game không trả lời' }).click()
  const section = page.getByRole('region', { name: 'Game không trả lời' })
  await expect(section.getByRole('heading', { level: 2 })).toBeInViewport()
  await expect(section).toContainText('Bảo trì (người mở được: Chủ sở hữu)')
  await expect(section.getByRole('link', { name: 'Bảo trì' })).toHaveCount(0)
  await section.getByRole('link', { name: 'Giao hàng' }).first().press('Enter')
  await expect(page).toHaveURL(/\/deliveries\?open=true$/)
})

const DAYS_AGO = 20

/** Money and purchases of one hour, so many days ago. */
const storeFigures = (): Promise<unknown> =>
  withDatabase((database) =>
    database.query(
      `WITH hour AS (SELECT date_trunc('hour', now() - make_interval(days => $1)) AS at),
       figures AS (
         INSERT INTO statistics_hour (hour, momo_vnd, vietcombank_vnd, acb_vnd, other_vnd, issued, spent, refunded,
           wallets_change, held_change, debts_change, luong, new_players, first_recharges, computed_at, has_parts)
         SELECT at, 120000, 340000, 0, 0, 460000, 90000, 0, 0, 0, 0, 0, 3, 1, now(), true FROM hour
         ON CONFLICT (hour) DO NOTHING)
       INSERT INTO statistics_part (hour, dimension, part, amount)
       SELECT at, 'kind', part, amount FROM hour, (VALUES ('exchange', 60000), ('gift', 20000)) AS parts (part, amount)
       ON CONFLICT DO NOTHING`,
      [DAYS_AGO],
    ),
  )

test('one period counts for all figures, whose chart is read by keyboard and as a table', async ({
  page,
  aStaff,
}) => {
  await storeFigures()
  await openConsole(page, await aStaff('owner'))
  const periods = page.getByRole('group', { name: 'Kỳ' })
  await periods.getByRole('button', { name: '30 ngày' }).click()
  await expect(page).toHaveURL(/period=30/)
  await page.reload()
  await expect(periods.getByRole('button', { name: '30 ngày' })).toHaveAttribute('aria-pressed', 'true')

  const day = formatDay(new Date(Date.now() - DAYS_AGO * 86_400_000).toISOString())
  const chart = page.getByRole('region', { name: 'Tiền vào và TCoin đã tiêu' })
  await chart.getByText('Bảng số liệu', { exact: true }).click()
  await expect(chart.getByRole('row').filter({ hasText: day })).toContainText('460,000')
  await chart.getByRole('application', { name: /^Tiền vào theo kênh/ }).focus()
  for (let bars = DAYS_AGO; bars < 29; bars++) await page.keyboard.press('ArrowRight')
  const told = chart.locator('.recharts-tooltip-wrapper')
  await expect(told).toContainText(day)
  await expect(told).toContainText('MoMo120,000')
  await expect(told).toContainText('460,000 đ')
  await expect(chart.getByText('Cao nhất:')).toContainText(/\d\d\/\d\d\/\d{4} [\d,]+ đ$/)
  const hours = page.getByRole('region', { name: 'Bảng tiền vào theo thứ và giờ' })
  await expect(hours.getByRole('row', { name: /^Cả tuần/ })).toContainText(/\d/)

  await chart.getByRole('button', { name: 'TCoin tiêu theo loại món' }).click()
  await expect(chart.getByRole('application', { name: /^TCoin tiêu theo loại món/ })).toBeVisible()
  // What is neither: 90,000 were spent in all.
  const spent = chart.getByRole('row').filter({ hasText: day })
  for (const amount of ['60,000', '20,000', '10,000', '90,000']) await expect(spent).toContainText(amount)

  await periods.getByRole('button', { name: 'Tháng trước' }).click()
  await expect(page).toHaveURL(/period=last-month/)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Tải CSV' }).click()
  expect((await saved).suggestedFilename()).toMatch(/^so-lieu-(\d{4}-\d\d)-01-den-\1-\d\d\.csv$/)
  await page.getByText('Số liệu khác', { exact: true }).click()
  await page.getByRole('link', { name: 'Hoàn đổi lượng' }).click()
  await expect(page).toHaveURL(/\/ledger-transfers\?kind=exchange_refund&from=\d{4}-\d\d-01&to=/)
  await page.goBack()

  await periods.getByRole('button', { name: 'Tự chọn' }).click()
  const [from, to] = [
    page.getByLabel('Từ ngày', { exact: true }),
    page.getByLabel('Đến ngày', { exact: true }),
  ]
  await from.fill('2026-03-02')
  await to.fill('2026-03-01')
  await page.getByRole('button', { name: 'Xem', exact: true }).click()
  await expect(page.getByText('Ngày cuối không được trước ngày đầu')).toBeVisible()
  await to.fill('2026-03-08')
  await page.getByRole('button', { name: 'Xem', exact: true }).click()
  await expect(page).toHaveURL(/from=2026-03-02&to=2026-03-08/)
  await expect(chart.getByText('Kỳ này chưa có số liệu.')).toBeVisible()

  await page.goBack()
  await page
    .getByRole('list', { name: 'Số liệu' })
    .getByRole('link', { name: 'Tiền vào', exact: true })
    .click()
  await expect(page).toHaveURL(/\/bank-transfers\?state=credited&from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d$/)
})

test(
  'a parked delivery and a proposal are shown at once',
  { tag: '@long' },
  async ({ page, aStaff, request }) => {
    const staff = await aStaff('owner')
    const colleague = await aStaff('owner')
    const player = await registerTrader(request, 100_000)
    const { id: userId } = await whoIs(request, player.token)

    await listenAt(page, staff, '/deliveries?state=parked')
    const delivery = await aParkedDelivery(request, player)
    await expect(page.getByText('Có món giao vừa bị treo')).toBeVisible()
    await expect(page.getByRole('link', { name: delivery.slice(0, 8) })).toBeVisible()

    await listenAt(page, staff, '/proposals')
    await proposeAdjustment(request, colleague, userId)
    await expect(page.getByText('Có đề xuất mới chờ duyệt')).toBeVisible()
    await expect(page.getByRole('article', { name: `Điều chỉnh số dư của ${player.username}` })).toBeVisible()
  },
)

/** Opens a screen and waits for the stream of what comes. */
async function listenAt(page: Page, staff: StaffMember, path: string): Promise<void> {
  const stream = page.waitForResponse((response) => response.url().endsWith('/api/operator/events'))
  await openConsole(page, staff, path)
  await stream
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}
