import { readFile } from 'node:fs/promises'
import { expect } from '../player/fixtures.ts'
import { withDatabase } from '../player/portal-database.ts'
import { expectAccessibleInBothSchemes } from '../accessible.ts'
import { openConsole, test } from './staff-page.ts'

/** A tournament with a report of ten days, as the worker stores it; answers its id. */
const aReportedTournament = (name: string): Promise<string> =>
  withDatabase(async (database) => {
    const { rows } = await database.query<{ id: string }>(
      `WITH cup AS (
         INSERT INTO tournaments (name, registration_start_at, competition_start_at, mode, type, max_round)
         VALUES ($1, now() - interval '10 days', now() - interval '1 day', 0, 1, 3) RETURNING id),
       report AS (
         INSERT INTO campaign_report (kind, campaign, counted_until, starts_at, ends_at, given, taken_back, held, goods,
           goods_waiting, fees, fees_back, brought, brought_back, recharged, recharged_before, all_recharged, players,
           new_players, first_payers, returned, payers, payers_before, payers_after)
         SELECT 'tournaments', id::text, now() - interval '10 minutes', now() - interval '10 days', now() - interval '10 minutes',
           0, 0, 0, '[]', '[]', 9000, 1500, 640000, 40000, 600000, 300000, 700000, 12, 3, 2, 1, 9, 6, 0 FROM cup)
       INSERT INTO campaign_report_day (kind, campaign, day, players, brought, given)
       SELECT 'tournaments', id::text, vietnam_day(now() - interval '3 days'), 12, 600000, 0 FROM cup
       RETURNING campaign AS id`,
      [name],
    )
    return (rows[0] as { id: string }).id
  })

test('a report says what a tournament brought, leads to its lists, and is read by keyboard and as a file', async ({
  page,
  aStaff,
}) => {
  const name = `Giải báo cáo ${Date.now()}`
  const id = await aReportedTournament(name)
  await openConsole(page, await aStaff('owner'), `/tournaments/${id}`)
  await page.getByRole('link', { name: `Báo cáo: ${name}` }).click()
  await expect(page).toHaveURL(new RegExp(`/campaign-reports/tournaments/${id}$`))
  await expect(page.getByRole('heading', { level: 1, name: `Báo cáo: ${name}` })).toBeVisible()
  const figure = (label: string) =>
    page.getByRole('listitem').filter({ has: page.getByText(label, { exact: true }) })
  await expect(figure('Tiền mang lại')).toContainText('600,000 đ')
  await expect(figure('Người tham gia nạp')).toContainText('tăng 100 %')
  await expect(figure('Mọi người chơi nạp')).toContainText('không có số liệu trước')
  await expect(figure('Lệ phí thu trong game')).toContainText('9,000 lượng')
  await expectAccessibleInBothSchemes(page)

  await page.getByRole('application', { name: /^Tiền mang lại/ }).focus()
  for (let bars = 0; bars < 7; bars++) await page.keyboard.press('ArrowRight')
  await expect(page.locator('.recharts-tooltip-wrapper')).toContainText('600,000 đ')
  await page.getByText('Bảng số liệu', { exact: true }).press('Enter')
  await expect(page.getByRole('row').filter({ hasText: '600,000' })).toBeVisible()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Tải CSV' }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  expect(text).toContain('Người tham gia nạp (VND),600000,300000')

  await page.getByRole('link', { name: 'Mọi người chơi nạp', exact: true }).click()
  await expect(page).toHaveURL(/\/bank-transfers\?state=credited&from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d$/)
})
