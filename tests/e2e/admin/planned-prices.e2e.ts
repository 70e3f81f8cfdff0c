import { expect } from '../player/fixtures.ts'
import { expectAccessible } from '../accessible.ts'
import { choose, openConsole, test, giveReason } from './staff-page.ts'

const DAY_MS = 86_400_000
const VIETNAM_MS = 7 * 3_600_000

/** What a field for day and time takes, in Vietnam, so many days from now. */
const field = (days: number): string =>
  new Date(Date.now() + VIETNAM_MS + days * DAY_MS).toISOString().slice(0, 16)

/** The same moment as the console shows it. */
const shown = (text: string): RegExp => {
  const [, year, month, day, time] = /^(\d+)-(\d+)-(\d+)T(.*)$/.exec(text) ?? []
  return new RegExp(`${day}/${month}/${year}.*${time}|${time}.*${day}/${month}/${year}`)
}

const LABEL = 'Khuyến mãi đổi lượng (%)'

test(
  'a bonus is planned for some days, approved by another owner, shown beside its price, and cancelled',
  { tag: '@long' },
  async ({ page, aProvedStaff, browser, portal, consoleErrors }) => {
    // The end before the start is refused by the server.
    consoleErrors.expect(/status of 422/)
    const owner = await aProvedStaff('owner')
    const second = await aProvedStaff('owner')
    const [start, end] = [field(3), field(5)]
    await openConsole(page, owner, '/settings/prices')
    await page.getByRole('button', { name: `Hẹn đổi giá: ${LABEL}` }).click()
    const dialog = page.getByRole('dialog', { name: `Hẹn đổi giá: ${LABEL}` })
    await giveReason(page, 'Hẹn đổi giá', 'Khuyến mãi cuối tuần')
    await expect(dialog).toContainText('Hãy nhập giá trị khác với hiện tại')
    await expect(dialog).toContainText('Hãy chọn giờ bắt đầu')
    await dialog.getByRole('textbox', { name: LABEL }).fill('100')
    await expect(dialog).toContainText('hiện nay')
    await dialog.getByLabel('Bắt đầu (giờ Việt Nam)').fill(end)
    await dialog.getByLabel('Kết thúc (giờ Việt Nam)').fill(start)
    await dialog.getByRole('button', { name: 'Hẹn đổi giá' }).click()
    await expect(dialog).toContainText('Giờ kết thúc phải sau giờ bắt đầu')
    await dialog.getByLabel('Bắt đầu (giờ Việt Nam)').fill(start)
    await dialog.getByLabel('Kết thúc (giờ Việt Nam)').fill(end)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Hẹn đổi giá' }).click()
    await expect(page.getByText('Đã gửi đề xuất, chờ người thứ hai duyệt')).toBeVisible()

    const context = await browser.newContext({ baseURL: portal.url, locale: 'vi-VN' })
    try {
      const approving = await context.newPage()
      await openConsole(approving, second, '/proposals')
      const proposal = approving.getByRole('article', { name: `${LABEL} theo lịch` })
      await expect(proposal).toContainText(shown(start))
      await expect(proposal).toContainText(shown(end))
      await proposal.getByRole('button', { name: 'Duyệt' }).click()
      await giveReason(approving, 'Duyệt', 'Đã thống nhất')
      await expect(proposal).toBeHidden()
    } finally {
      await context.close()
    }

    await page.reload()
    await expect(page.getByText(/^Từ .* đến .*: 100/)).toBeVisible()
    await choose(page, 'Lịch đổi giá')
    const table = page.getByRole('table', { name: 'Lịch đổi giá' })
    await expect(table).toContainText('Đã hẹn')
    await expect(table).toContainText(shown(start))
    await expectAccessible(page)
    await page.getByRole('button', { name: `Hủy lịch đổi giá: ${LABEL}` }).click()
    await giveReason(page, 'Hủy lịch', 'Dời sang tuần sau')
    await expect(table).toContainText('Đã hủy')
    await expect(page.getByRole('button', { name: /^Hủy lịch đổi giá/ })).toHaveCount(0)
  },
)
