import type { Page } from '@playwright/test'
import { tournamentFields } from '#server/modules/tournaments/testing/referee.ts'
import { expect } from '../player/fixtures.ts'
import { withDatabase } from '../player/portal-database.ts'
import { untilRound } from './console-rows.ts'
import { choose, openConsole, signInToConsole, test, giveReason } from './staff-page.ts'

const DAY_MS = 86_400_000
/** As the browser's field takes it, in the time of Vietnam. */
const fieldMoment = (days: number) =>
  new Date(Date.now() + days * DAY_MS + 7 * 3_600_000).toISOString().slice(0, 16)

const main = (page: Page) => page.getByRole('main')

async function giveReasonAnd(page: Page, label: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: label })
  await dialog.getByLabel('Lý do').fill('Giải tháng này')
  await dialog.getByRole('button', { name: label }).click()
  await expect(dialog).toBeHidden()
}

/** Enters every result of the round being played by keyboard: the first side wins each match with so many games. */
async function enterResults(page: Page, games: number): Promise<void> {
  const boxes = main(page).getByRole('spinbutton')
  const count = await boxes.count()
  await boxes.first().focus()
  for (let box = 0; box < count; box++) {
    await page.keyboard.type(box % 2 === 0 ? String(games) : '0')
    await page.keyboard.press('Tab')
    // From the second box on to the absence, and from there to the next match.
    if (box % 2 === 1) await page.keyboard.press('Tab')
  }
  const reread = rereadAfterSaving(page)
  await boxes.last().press('Enter')
  await reread
  await expect(page.getByRole('button', { name: 'Lưu kết quả' })).toBeDisabled()
}

/** Shows a live draw: one team by the button, some by the beat, the rest at once. */
async function showDraw(page: Page, teams: number): Promise<void> {
  const draw = main(page).getByRole('region', { name: 'Bốc thăm' })
  const shown = (count: number | string) => draw.getByText(new RegExp(`^Đã công bố ${count}/${teams} đội$`))
  await expect(shown(0)).toBeVisible()
  await expect(main(page).getByText('Nhánh đấu hiện ở đây khi mọi đội')).toBeVisible()
  await draw.getByRole('button', { name: 'Công bố đội tiếp theo' }).click()
  await expect(shown(1)).toBeVisible()
  await expect(draw.getByRole('list', { name: 'Thứ tự bốc thăm' }).getByRole('listitem')).toHaveCount(1)
  await draw.getByRole('button', { name: 'Tự động, 3 giây một đội' }).click()
  await expect(shown('[34]')).toBeVisible()
  await draw.getByRole('button', { name: 'Dừng tự động' }).click()
  await draw.getByRole('button', { name: 'Tự động, 3 giây một đội' }).waitFor()
  await draw.getByRole('button', { name: 'Công bố tất cả' }).click()
  await expect(draw.getByText('Công bố sau khi bốc thăm xong')).toBeHidden()
}

/** The console reads the tournament again after its results were saved; an act on what it read before is refused. */
async function rereadAfterSaving(page: Page): Promise<void> {
  let isSaved = false
  await page.waitForResponse((answer) => {
    const method = answer.request().method()
    if (method === 'PUT' && answer.url().endsWith('/results')) isSaved = true
    return isSaved && method === 'GET' && /\/api\/operator\/tournaments\/\d+$/.test(answer.url())
  })
}

// The desk and the tournament day play others to their end in npm test.
test(
  'a referee runs a tournament of sixteen teams to its end',
  { tag: '@long' },
  async ({ page, aStaff, context }) => {
    const staff = await aStaff('referee')
    await signInToConsole(page, staff)
    await choose(page, 'Giải đấu')
    await page.getByRole('button', { name: 'Tạo giải' }).click()
    const form = page.getByRole('dialog', { name: 'Tạo giải' })
    await form.getByLabel('Tên giải').fill('Đại hội mùa thu')
    await form.getByLabel('Mở đăng ký').fill(fieldMoment(-1))
    await form.getByLabel('Bắt đầu thi đấu').fill(fieldMoment(1))
    await form.getByLabel('Giải thưởng').fill('Vô địch 3,000 lượng')
    await form.getByLabel('Cách đăng ký').fill('Đăng ký tại trang này')
    await giveReason(page, 'Lưu', 'Lịch tháng này')
    await expect(page.getByRole('heading', { level: 1, name: 'Đại hội mùa thu' })).toBeVisible()
    const id = page.url().split('/').at(-1) ?? ''

    await page.getByRole('button', { name: 'Đăng ký đội' }).click()
    const teams = Array.from({ length: 16 }, (_, n) => `Đội ${n + 1}: Ninja ${n + 1}`)
    await page.getByLabel('Danh sách đội').fill(teams.join('\n'))
    await giveReasonAnd(page, 'Đăng ký đội')
    await expect(page.getByRole('heading', { name: 'Đội (16)' })).toBeVisible()

    await page.getByRole('button', { name: 'Chọn hạt giống' }).click()
    const seeds = page.getByRole('dialog', { name: 'Chọn hạt giống' })
    for (const name of ['Đội 9', 'Đội 2']) await seeds.getByLabel('Thêm hạt giống').selectOption(name)
    await seeds.getByRole('button', { name: 'Đưa Đội 2 lên trước' }).click()
    await giveReasonAnd(page, 'Chọn hạt giống')
    const second = main(page).locator('tr', { hasText: 'Ninja 2' })
    await expect(second.locator('[data-label="Hạt giống"]')).toHaveText('1')

    await page.getByRole('button', { name: 'Đóng đăng ký' }).click()
    await giveReasonAnd(page, 'Đóng đăng ký')
    await untilRound(page.request, id)
    await page.getByRole('button', { name: 'Bốc thăm' }).click()
    await giveReasonAnd(page, 'Bốc thăm')
    await showDraw(page, 16)
    const rounds: [name: string, games: number][] = [
      ['Vòng loại 1', 1],
      ['Tứ kết', 3],
      ['Bán kết', 3],
      ['Tranh hạng ba', 3],
      ['Chung kết', 5],
    ]
    const player = await context.newPage()
    for (const [index, [round, games]] of rounds.entries()) {
      await expect(main(page).getByRole('heading', { name: new RegExp(`^${round}.*Đang đấu`) })).toBeVisible()
      await enterResults(page, games)
      if (index === rounds.length - 1) break
      await page.getByRole('button', { name: 'Mở vòng tiếp theo' }).click()
      await giveReasonAnd(page, 'Mở vòng tiếp theo')
    }
    await page.getByRole('button', { name: 'Kết thúc giải' }).click()
    await giveReasonAnd(page, 'Kết thúc giải')
    await expect(main(page).getByText('Đã kết thúc')).toBeVisible()

    const champion = await withDatabase(async (database) => {
      const { rows } = await database.query(
        'SELECT w.name FROM tournaments t JOIN teams w ON w.id = t.winning_team_id WHERE t.id = $1',
        [id],
      )
      return (rows[0] as { name: string }).name
    })
    await player.goto(`/tournament/${id}`)
    await expect(player.getByRole('heading', { level: 1, name: 'Đại hội mùa thu' })).toBeVisible()
    await expect(player.getByText('Vô địch 3,000 lượng')).toBeVisible()
    await expect(player.getByRole('region', { name: 'Vô địch' })).toContainText(champion)
  },
)

test('a colleague’s change is shown before overwriting', async ({ page, aStaff, request, consoleErrors }) => {
  consoleErrors.expect(/status of 409/)
  const staff = await aStaff('referee')
  const colleague = await aStaff('referee')
  const headers = { authorization: `Bearer ${colleague.token}` }
  const name = `Giải hai người sửa ${Date.now()}`
  const fields = { ...tournamentFields({ name, mode: 0, max_level: 200 }), reason: 'Giải thử' }
  const made = await request.post('/api/operator/tournaments', { headers, data: fields })
  const { id, updated_at } = (await made.json()) as { id: string; updated_at: string }
  await openConsole(page, staff, `/tournaments/${id}`)
  await page.getByRole('button', { name: 'Sửa thông tin' }).click()
  const form = page.getByRole('dialog', { name: 'Sửa thông tin' })
  await form.getByLabel('Đến cấp').fill('150')
  await form.getByLabel('Lý do').fill('Hạ cấp cao nhất')

  const data = { ...fields, fee: 1_500, updated_at }
  expect((await request.put(`/api/operator/tournaments/${id}`, { headers, data })).status()).toBe(200)
  await form.getByRole('button', { name: 'Lưu' }).click()
  await expect(form.getByText('Giải vừa được người khác sửa')).toBeVisible()
  await expect(form.getByRole('listitem')).toHaveText(['Lệ phí (lượng): 100 → 1,500'])
  await form.getByRole('button', { name: 'Lưu' }).click()
  await expect(form).toBeHidden()
  await expect(main(page).getByText('150', { exact: true })).toBeVisible()
})

test(
  'a list that is being closed is said so, and can be drawn when it is closed',
  { tag: '@long' },
  async ({ page, aStaff, request }) => {
    const staff = await aStaff('referee')
    const headers = { authorization: `Bearer ${staff.token}` }
    const fields = { ...tournamentFields({ name: `Giải lớn ${Date.now()}` }), reason: 'Giải thử' }
    const made = await request.post('/api/operator/tournaments', { headers, data: fields })
    const { id, updated_at } = (await made.json()) as { id: string; updated_at: string }
    const data = { updated_at, reason: 'Đủ đội' }
    expect((await request.post(`/api/operator/tournaments/${id}/close`, { headers, data })).status()).toBe(
      200,
    )
    let isClosed = false
    await page.route(`**/api/operator/tournaments/${id}`, async (route) => {
      const response = await route.fetch()
      const answer = (await response.json()) as object
      await route.fulfill({
        response,
        json: isClosed ? answer : { ...answer, draw_round: null, fees_to_return: 1_234 },
      })
    })
    await openConsole(page, staff, `/tournaments/${id}`)
    await expect(main(page).getByText('danh sách đội đang được chốt từng phần')).toBeVisible()
    await expect(main(page).getByText('1,234 khoản')).toBeVisible()
    const acts = ['Đóng đăng ký', 'Bốc thăm']
    for (const name of acts) await expect(page.getByRole('button', { name })).toHaveCount(0)
    isClosed = true
    // Any event of the tournament.
    const renamed = {
      ...fields,
      updated_at: (await (await request.get(`/api/operator/tournaments/${id}`, { headers })).json())
        .updated_at,
    }
    expect(
      (
        await request.put(`/api/operator/tournaments/${id}`, { headers, data: { ...renamed, prize: 'Cúp' } })
      ).status(),
    ).toBe(200)
    await expect(page.getByRole('button', { name: 'Bốc thăm' })).toBeVisible()
    await expect(main(page).getByText('đang được chốt')).toBeHidden()
  },
)
