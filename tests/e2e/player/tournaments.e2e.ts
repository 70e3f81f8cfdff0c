import type { APIRequestContext } from '@playwright/test'
import { REFETCH_INTERVAL_MS } from '#contract/constants.ts'
import { expect, test } from './fixtures.ts'

type Listed = { id: string; name: string }

async function idOf(request: APIRequestContext, name: string): Promise<string> {
  const list = (await (await request.get('/api/tournaments')).json()) as Listed[]
  return list.find((listed) => listed.name === name)!.id
}

test('the list holds a tournament of each phase and leads to it', async ({ page }) => {
  await page.goto('/tournaments')
  for (const [name, phase] of [
    ['Đại Hội Bang Hội Mùa Đông', 'Sắp mở đăng ký'],
    ['Song Đấu Trăng Rằm', 'Đang mở đăng ký'],
    ['Cúp Tân Binh Hồng Nguyệt', 'Chờ chia cặp'],
    ['Tứ Hùng Trúc Lâm', 'Đang diễn ra'],
    ['Kiếm Hội Đêm Giao Mùa', 'Đã kết thúc'],
  ] as const) {
    await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: name })).toContainText(phase)
  }
  await page.getByRole('link', { name: 'Kiếm Hội Đêm Giao Mùa' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Kiếm Hội Đêm Giao Mùa' })).toBeVisible()
  const rounds = page.getByRole('main').getByRole('heading', { level: 3 })
  await expect(rounds).toHaveText(['Tứ kết', 'Bán kết', 'Tranh hạng ba', 'Chung kết'])
  const final = page.getByRole('region', { name: 'Chung kết' })
  await expect(final).toContainText('5 điểm')
  await expect(final.getByRole('listitem').getByText('Thắng')).toHaveCount(1)
  await expect(page.getByText('Song Long').first()).toBeVisible()
})

test('before its draw a tournament counts down and has no matches yet', async ({ page, request }) => {
  await page.goto(`/tournament/${await idOf(request, 'Song Đấu Trăng Rằm')}`)
  await expect(page.getByRole('timer')).toContainText('Thi đấu sau')
  const clock = page.getByRole('timer').getByText(/^\d ngày \d\d:\d\d:\d\d$/)
  const shown = await clock.textContent()
  await expect(clock).not.toHaveText(shown ?? '')
  await expect(page.getByText('Chưa có lịch thi đấu')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Mỗi đội được gọi tên có 1 phút để chuẩn bị')
  for (const text of ['Đấu tay đôi', 'Bốc thăm phát trực tiếp', '100 lượng', 'Từ 40 đến 200', '32 đội'])
    await expect(page.getByRole('main')).toContainText(text)
})

test('a running bracket follows what is played', async ({ page, request }) => {
  const id = await idOf(request, 'Tứ Hùng Trúc Lâm')
  await page.goto(`/tournament/${id}`)
  const current = page.getByRole('region', { name: 'Tứ kết' })
  await expect(current).toContainText('Đang đấu')
  await expect(current.getByText('Thắng')).toHaveCount(2)
  await page.route(`**/api/tournaments/brackets/${id}`, async (route) => {
    const answer = await route.fetch()
    const bracket = (await answer.json()) as {
      matches: { round: number; team2_id: string; winning_team_id: string | null }[]
    }
    const open = bracket.matches.find(({ round, winning_team_id }) => round === 2 && !winning_team_id)!
    open.winning_team_id = open.team2_id
    await route.fulfill({ json: bracket })
  })
  await expect(current.getByText('Thắng')).toHaveCount(3, { timeout: 2 * REFETCH_INTERVAL_MS + 5_000 })
})

test('a tournament that is not there is a page that is not there', async ({
  page,
  request,
  consoleErrors,
}) => {
  consoleErrors.expect(/status of 404/)
  for (const path of ['/tournament/999999', '/tournament/khongco']) {
    expect((await request.get(path)).status()).toBe(404)
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Trang bạn đang tìm không tồn tại' })).toBeVisible()
  }
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('tournaments can be read', async ({ page, request }) => {
    await page.goto('/tournaments')
    await page.getByRole('link', { name: 'Tứ Hùng Trúc Lâm' }).click()
    await expect(page).toHaveURL(new RegExp(`/tournament/${await idOf(request, 'Tứ Hùng Trúc Lâm')}$`))
    await expect(page).toHaveTitle(/^Tứ Hùng Trúc Lâm — /)
    await expect(page.getByRole('region', { name: 'Vòng loại 1' }).getByText('Thắng')).toHaveCount(8)
    await expect(page.locator('meta[property="og:title"]')).toHaveAttribute('content', /Tứ Hùng Trúc Lâm/)
  })
})
