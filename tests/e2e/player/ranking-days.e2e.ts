import type { Page } from '@playwright/test'
import { demoLogin } from '#seeds/players.ts'
import { vietnamDay } from '#server/platform/values/vietnam-time.rules.ts'
import { expectAccessible } from '../accessible.ts'
import { expect, loginByCall, signIn, test } from './fixtures.ts'
import { withDatabase } from './portal-database.ts'

const ownPlace = (page: Page) => page.getByRole('region', { name: 'Hạng của bạn' })
const podium = (page: Page) => page.locator('main ol.podium > li')

const YESTERDAY = vietnamDay(new Date(Date.now() - 86_400_000))

/** Yesterday the first and the fourth had each other's places, and the third was not in the ranking. */
async function rememberYesterday(): Promise<void> {
  await withDatabase(async (client) => {
    await client.query(
      `INSERT INTO ranking_days SELECT group_id, $1, now() - interval '1 day', class_ids FROM ranking_snapshots
       ON CONFLICT DO NOTHING`,
      [YESTERDAY],
    )
    await client.query(
      `INSERT INTO ranking_day_entries (group_id, day, rank, user_id, server_id, name, value, class_id, level,
                                        server_rank, class_rank, server_class_rank)
       SELECT group_id, $1, CASE rank WHEN 1 THEN 4 WHEN 4 THEN 1 ELSE rank END, user_id, server_id, name, value - 1,
              class_id, level, server_rank, class_rank, server_class_rank
         FROM ranking_entries WHERE rank <> 3 AND group_id = (SELECT id FROM ranking_groups ORDER BY position LIMIT 1)
       ON CONFLICT DO NOTHING`,
      [YESTERDAY],
    )
  })
}

test('movements since yesterday are words, and a day before is chosen with the keyboard', async ({
  page,
  request,
}) => {
  await signIn(page, await loginByCall(request, demoLogin))
  await page.goto('/ranking')
  await expect(podium(page)).toHaveCount(3)
  await rememberYesterday()
  await page.reload()
  await expect(podium(page).nth(0)).toContainText('▲ 3')
  await expect(podium(page).nth(0)).toContainText('lên 3 hạng')
  await expect(podium(page).nth(1)).toContainText('không đổi hạng')
  await expect(podium(page).nth(2)).toContainText('mới vào bảng')
  await expect(ownPlace(page)).toContainText(/(lên|xuống) \d+ hạng|không đổi hạng/)
  await expectAccessible(page)

  const day = page.getByLabel('Ngày', { exact: true })
  await expect(day).toHaveAttribute('min', YESTERDAY)
  await expect(day).toHaveAttribute('max', YESTERDAY)
  await day.focus()
  await day.fill(YESTERDAY)
  await expect(page).toHaveURL(new RegExp(`day=${YESTERDAY}`))
  await expect(page.getByText(/^Bảng cuối ngày, lúc \d\d\/\d\d\/\d{4} \d\d:\d\d$/)).toBeVisible()
  // Without the third, who was not there.
  await expect(podium(page)).toHaveCount(2)
  await expect(podium(page).first()).not.toContainText('thienlongkiem')
  await expect(ownPlace(page)).toContainText('kiemgia')
  await page.reload()
  await expect(day).toHaveValue(YESTERDAY)
  await day.press('Shift+Tab')
  await page.getByRole('button', { name: 'Về hiện tại' }).press('Enter')
  await expect(page).not.toHaveURL(/day=/)
  await expect(podium(page).first()).toContainText('thienlongkiem')
})

test(
  'one class is chosen, on all servers or on one, and the own character stays in sight',
  { tag: '@long' },
  async ({ page, request }) => {
    await signIn(page, await loginByCall(request, demoLogin))
    await page.goto('/ranking')
    const classes = page.getByLabel('Trường', { exact: true })
    await classes.selectOption('Cung')
    await expect(page).toHaveURL(/class=4/)
    for (const place of await podium(page).all()) await expect(place).toContainText('Cung')
    await expect(ownPlace(page)).toBeInViewport({ ratio: 1 })
    await page.getByRole('group', { name: 'Máy chủ' }).getByRole('button', { name: 'Hồng Nguyệt' }).click()
    await expect(page).toHaveURL(/server=3&class=4/)
    await expect(podium(page).first()).toContainText('Hồng Nguyệt')
    await expect(podium(page).first()).toContainText('Cung')
    await page.goto('/ranking?class=999999')
    await expect(page.getByText('Không có ai phù hợp.')).toBeVisible()
    await expect(ownPlace(page)).toBeVisible()
  },
)

test('a player is shown among the recharges by a nickname once they choose it, and until they withdraw it', async ({
  page,
  newcomer,
  consoleErrors,
}) => {
  consoleErrors.expect(/status of 422/)
  await signIn(page, newcomer.token)
  await page.goto('/ranking')
  await page.getByRole('tab', { name: 'Đua nạp' }).click()
  await expect(ownPlace(page)).toContainText('Bạn chưa hiện tên trên bảng này.')
  await ownPlace(page).getByRole('link', { name: 'Hiện tên tôi' }).click()
  const choice = page.getByLabel('Hiện tên tôi trên bảng xếp hạng nạp')
  await expect(choice).toBeInViewport()
  await expect(choice).not.toBeChecked()
  await choice.check()
  const save = page.getByRole('button', { name: 'Lưu lựa chọn' })
  await page.getByLabel('Biệt danh').fill('Quản Trị Viên')
  await save.click()
  // Beside the field and in a dialog, which comes a moment later.
  const refusal = page.getByRole('alertdialog', { name: 'Thất bại' })
  await expect(refusal).toContainText('Biệt danh này dành cho ban quản trị')
  await page.keyboard.press('Escape')
  await expect(refusal).toBeHidden()
  await expect(page.getByRole('main').getByText('Biệt danh này dành cho ban quản trị')).toBeVisible()
  const nickname = `Gió ${Date.now().toString(36)}`
  await page.getByLabel('Biệt danh').fill(nickname)
  await save.click()
  await expect(page.getByText(`Bạn hiện trên bảng xếp hạng nạp với biệt danh ${nickname}.`)).toBeVisible()
  await page.goto('/user/consents')
  await expect(
    page.getByRole('listitem').filter({ hasText: 'Hiện tên trên bảng xếp hạng nạp' }).first(),
  ).toContainText('Bạn đồng ý từ')
  await page.goto('/user/profile#ranking-name')
  await expect(choice).toBeChecked()
  await choice.uncheck()
  await save.click()
  await expect(page.getByText('Bạn không còn hiện trên bảng xếp hạng nạp.')).toBeVisible()
})
