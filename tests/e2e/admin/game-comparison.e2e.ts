import { expectAccessible } from '../accessible.ts'
import { expect, registerTrader } from '../player/fixtures.ts'
import { withDatabase } from '../player/portal-database.ts'
import { consoleOf, giveReason, openConsole, prove, test } from './staff-page.ts'
import { buyLuong } from '../player/accounts.ts'

test(
  'goods that a game lost are found, and given again after a second person approved',
  { tag: '@long' },
  async ({ page, browser, baseURL, aStaff, aProvedStaff, request, portal, consoleErrors }) => {
    test.setTimeout(120_000)
    // Only the second person has to prove who they are.
    consoleErrors.expect(/status of 409/)
    const player = await registerTrader(request, 100_000)
    const auth = { headers: { authorization: `Bearer ${player.token}` } }
    const id = await buyLuong(request, player.token)
    const receipt = async (of: string) =>
      (await (await request.get(`/api/user/deliveries/${of}`, auth)).json()) as { status: string }
    await expect.poll(async () => (await receipt(id)).status).toBe('delivered')
    await withDatabase(
      (database) => database.query('DELETE FROM game.deliveries WHERE id = $1', [id]),
      portal.dataDir,
    )

    const owner = await aProvedStaff('owner')
    await openConsole(page, owner, '/deliveries')
    await page.getByRole('link', { name: 'So với game: món game đã mất' }).click()
    await page.getByRole('button', { name: 'So với game' }).click()
    await giveReason(page, 'So với game')
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: id.slice(0, 8) }) })
    await expect(row).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText('Đã xong', { exact: true })).toBeVisible({ timeout: 30_000 })
    await expectAccessible(page)
    await row.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Giao lại các lượt đã chọn' }).click()
    await expect(page.getByRole('dialog')).toContainText('Người thứ hai phải duyệt')
    await giveReason(page, 'Giao lại các lượt đã chọn')
    await expect(page.getByText('Đã đề xuất, chờ người thứ hai duyệt')).toBeVisible()

    const cashier = await aStaff('cashier')
    const second = await consoleOf(browser, baseURL ?? '', cashier)
    await second.goto('/admin/proposals')
    const proposal = second.getByRole('article', { name: 'Giao lại món game đã mất' })
    await expect(proposal).toContainText('1 lượt giao')
    await proposal.getByRole('button', { name: 'Duyệt' }).click()
    await giveReason(second, 'Duyệt')
    await prove(second, cashier)
    await expect(proposal).toHaveCount(0)

    await page.reload()
    const again = row.getByRole('link').last()
    await expect(again).toBeVisible()
    await again.click()
    await expect(page.getByRole('link', { name: id })).toBeVisible()
    await expect(page.getByText('Giao lại', { exact: true })).toBeVisible()
    await expect(page.getByText('0 TCoin')).toBeVisible()
  },
)
