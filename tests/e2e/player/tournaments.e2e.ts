import type { APIRequestContext } from '@playwright/test'
import { REFETCH_INTERVAL_MS } from '#contract/constants.ts'
import { stateOf } from '#tests/support/page-states/all-states.ts'
import { openState } from '#tests/support/page-states/page-state.ts'
import { expect, test } from './fixtures.ts'
import { clickHydrated, hydrated } from './measures.ts'

type Listed = { id: string; name: string }

async function idOf(request: APIRequestContext, name: string): Promise<string> {
  const list = (await (await request.get('/api/tournaments')).json()) as Listed[]
  return list.find((listed) => listed.name === name)!.id
}

type Bracket = {
  tournament: { winner: string | null }
  matches: {
    round: number
    winning_team_id: string | null
    team1_id: string | null
    team_one: Named
    team_two: Named
  }[]
}
type Named = { team_name: string } | null

const bracketOf = async (request: APIRequestContext, id: string): Promise<Bracket> =>
  (await request.get(`/api/tournaments/brackets/${id}`)).json()

/** Who has won the first two quarter-finals, and meets the other one next. */
const quarterWinners = ({ matches }: Bracket): [string, string] =>
  matches
    .filter(({ round, winning_team_id }) => round === 2 && winning_team_id !== null)
    .map(
      (match) =>
        (match.winning_team_id === match.team1_id ? match.team_one : match.team_two)?.team_name ?? '',
    )
    .slice(0, 2) as [string, string]

test('the list shows posters, what comes first, and leads to each', async ({ page, request }) => {
  await page.goto('/tournaments')
  const part = (name: string) => page.getByRole('region', { name, exact: true }).getByRole('listitem')
  const expected = [
    ['Đang diễn ra', 'Tứ Hùng Trúc Lâm', 'Đang diễn ra'],
    ['Sắp tới', 'Cúp Tân Binh Hồng Nguyệt', 'Chờ chia cặp'],
    ['Sắp tới', 'Song Đấu Trăng Rằm', 'Đang mở đăng ký'],
    ['Sắp tới', 'Đại Hội Bang Hội Mùa Đông', 'Sắp mở đăng ký'],
    ['Đã qua', 'Kiếm Hội Đêm Giao Mùa', 'Đã kết thúc'],
  ] as const
  for (const [region, name, phase] of expected)
    await expect(part(region).filter({ hasText: name })).toContainText(phase)
  const seeded = new Set<string>(expected.map(([, name]) => name))
  const names = await page.getByRole('main').getByRole('heading', { level: 3 }).allTextContents()
  expect(names.filter((name) => seeded.has(name))).toEqual(expected.map(([, name]) => name))

  const hall = page.getByRole('region', { name: 'Bảng vàng' }).getByRole('row')
  // Whoever is drawn where: the champion of the demo is another one in each.
  const { tournament: over } = await bracketOf(request, await idOf(request, 'Kiếm Hội Đêm Giao Mùa'))
  const champion = over.winner ?? ''
  expect(champion).not.toBe('')
  await expect(hall.filter({ hasText: 'Kiếm Hội Đêm Giao Mùa' }).getByRole('link')).toHaveText(champion)

  await page.getByRole('link', { name: 'Kiếm Hội Đêm Giao Mùa' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Kiếm Hội Đêm Giao Mùa' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Vô địch' })).toContainText(champion)
  const final = page.getByRole('tabpanel', { name: 'Chung kết' })
  await expect(final).toContainText('5 điểm')
  await expect(final.getByRole('listitem').getByText('Thắng')).toHaveCount(1)
  await expect(page.getByRole('main').getByRole('list', { name: 'Các chặng của giải' })).toContainText(
    'Chung kết(đã xong)',
  )
})

test('before its draw a tournament counts down to its start', async ({ page, request }) => {
  await page.goto(`/tournament/${await idOf(request, 'Song Đấu Trăng Rằm')}`)
  await expect(page.getByRole('timer')).toContainText('Thi đấu sau')
  const clock = page.getByRole('timer').getByText(/^\d ngày \d\d:\d\d:\d\d$/)
  const shown = await clock.textContent()
  await expect(clock).not.toHaveText(shown ?? '')
  await expect(page.getByRole('heading', { name: 'Giải thưởng' })).toBeVisible()
  await expect(page.getByText('Vô địch 5,000 lượng')).toBeVisible()
  const join = page.getByRole('region', { name: 'Cách đăng ký' })
  await expect(join).toContainText('Đăng ký ngay tại trang này')
  await expect(join).toContainText('Lệ phí: 100 lượng. Cấp tham gia: từ 40 đến 200. Đã có 11 trên 32 đội.')
  await expect(page.getByRole('listitem').filter({ hasText: 'Mở đăng ký' })).toHaveAttribute(
    'aria-current',
    'step',
  )
  await expect(page.getByText('Chưa có lịch thi đấu')).toBeVisible()

  const callRule = page.getByText('Mỗi đội được gọi tên có 1 phút để chuẩn bị')
  await expect(callRule).toBeHidden()
  await page.getByText('Thể lệ', { exact: true }).click()
  await expect(callRule).toBeVisible()
  for (const text of ['Đấu tay đôi', 'Bốc thăm phát trực tiếp', '100 lượng', 'Từ 40 đến 200', '32 đội'])
    await expect(page.getByRole('main')).toContainText(text)
})

test(
  'a running bracket is polled where it is not streamed',
  { tag: '@long' },
  async ({ page, request, consoleErrors }) => {
    consoleErrors.expect(/status of 404/)
    const id = await idOf(request, 'Tứ Hùng Trúc Lâm')
    await page.route(`**/api/tournaments/${id}/events*`, (route) => route.fulfill({ status: 404 }))
    await page.goto(`/tournament/${id}`)
    await expect(page.getByText('Đang đấu Tứ kết')).toBeVisible()
    const current = page.getByRole('tabpanel', { name: 'Tứ kết' })
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
  },
)

test('rounds are sticky tabs on phones, the one being played first', async ({ page, request }) => {
  await page.goto(`/tournament/${await idOf(request, 'Tứ Hùng Trúc Lâm')}`)
  const tabs = page.getByRole('tab')
  await expect(tabs).toHaveText(['Vòng loại 1', 'Tứ kết', 'Bán kết', 'Tranh hạng ba', 'Chung kết'])
  await expect(tabs.nth(1)).toHaveAttribute('aria-selected', 'true')
  // A key that is pressed earlier is nobody's.
  await expect(page.locator('#root[data-ready]')).toBeAttached()
  await tabs.nth(1).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(tabs.nth(3)).toBeFocused()
  await expect(tabs.nth(3)).toBeInViewport({ ratio: 0.95 })
  const thirdPlace = page.getByRole('tabpanel', { name: 'Tranh hạng ba' })
  await expect(thirdPlace.getByText('Chờ đội thua')).toHaveCount(2)
  await expect(page).toHaveURL(/\?round=4$/)
  await page.reload()
  await expect(tabs.nth(3)).toHaveAttribute('aria-selected', 'true')
  await hydrated(tabs.first())
  const swipe = (from: number, to: number) =>
    thirdPlace.getByRole('list').evaluate(
      (list, [start, end]) => {
        const touch = (clientX: number) => new Touch({ identifier: 1, target: list, clientX, clientY: 400 })
        const send = (type: string, init: TouchEventInit) =>
          list.dispatchEvent(new TouchEvent(type, { bubbles: true, ...init }))
        send('touchstart', { touches: [touch(start)] })
        send('touchend', { changedTouches: [touch(end)] })
      },
      [from, to] as const,
    )
  await swipe(200, 170)
  await expect(tabs.nth(3)).toHaveAttribute('aria-selected', 'true')
  await swipe(300, 100)
  await expect(tabs.nth(4)).toHaveAttribute('aria-selected', 'true')
  await clickHydrated(tabs.first())
  const last = page.getByRole('tabpanel').getByRole('listitem').last()
  await last.scrollIntoViewIfNeeded()
  await page.mouse.wheel(0, 200)
  await expect(tabs.first()).toBeInViewport({ ratio: 0.95 })
})

test('a team that is tapped is followed, stored in the address', async ({ page, request }) => {
  const id = await idOf(request, 'Tứ Hùng Trúc Lâm')
  const path = `/tournament/${id}`
  const [one, two] = quarterWinners(await bracketOf(request, id))
  await page.goto(path)
  const team = page.getByRole('tabpanel').getByRole('button', { name: one })
  await expect(team).toHaveAttribute('aria-pressed', 'false')
  await clickHydrated(team)
  await expect(team).toHaveAttribute('aria-pressed', 'true')
  const note = page.getByRole('status').filter({ hasText: one })
  await expect(note).toHaveText(`${one}: trận tới gặp ${two}, Bán kết`)
  await expect(page).toHaveURL(/\?team=\d+$/)
  await page.reload()
  await expect(note).toBeVisible()
  await clickHydrated(page.getByRole('button', { name: 'Bỏ theo dõi' }))
  await expect(note).toBeHidden()
  await expect(page).toHaveURL(new RegExp(`${path}$`))
})

test.describe('on a wide screen', () => {
  test.use({ viewport: { width: 1280, height: 800 } })

  test('the bracket is a tree, on which the way of a followed team is marked', async ({ page, request }) => {
    const id = await idOf(request, 'Tứ Hùng Trúc Lâm')
    const [one] = quarterWinners(await bracketOf(request, id))
    await page.goto(`/tournament/${id}`)
    await expect(page.getByRole('tab')).toHaveCount(0)
    const columns = await page.getByRole('region', { name: /^(Vòng loại 1|Tứ kết|Bán kết|Chung kết)$/ }).all()
    const boxes = await Promise.all(columns.map(async (column) => (await column.boundingBox())!))
    expect(boxes.map(({ y }) => y)).toEqual(Array.from({ length: 4 }, () => boxes[0]!.y))
    const matches = (round: string) =>
      page.getByRole('region', { name: round, exact: true }).getByRole('listitem')
    const middles = async (round: string) =>
      Promise.all(
        (await matches(round).all()).map(async (match) => {
          const { y, height } = (await match.boundingBox())!
          return y + height / 2
        }),
      )
    const [before, after] = [await middles('Tứ kết'), await middles('Bán kết')]
    expect(after).toHaveLength(2)
    // Each match stands in the middle of the two that lead to it.
    for (const [index, middle] of after.entries())
      expect(middle).toBeCloseTo((before[2 * index]! + before[2 * index + 1]!) / 2, 0)

    await clickHydrated(matches('Tứ kết').getByRole('button', { name: one }))
    await expect(page.getByRole('button', { name: 'Bỏ theo dõi' })).toBeVisible()
    const way = page.locator('[data-trail]').filter({ visible: true })
    await expect(way).toHaveCount(3)
    for (const [index, trail] of ['won', 'won', 'here'].entries())
      await expect(way.nth(index)).toHaveAttribute('data-trail', trail)
  })
})

test('a tournament that is not there is a 404 page', async ({ page, request, consoleErrors }) => {
  consoleErrors.expect(/status of 404/)
  for (const path of ['/tournament/999999', '/tournament/khongco']) {
    expect((await request.get(path)).status()).toBe(404)
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Trang bạn đang tìm không tồn tại' })).toBeVisible()
    await expect(page.getByText('Giải đấu này không có')).toBeVisible()
  }
})

test('the fields of a sign-up stay in place when the game answers late with the characters', async ({
  page,
  callers,
}) => {
  const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/api/exchange', async (route) => {
    await isAnswered
    await route.continue()
  })
  await openState(page, stateOf('tournament-sign-up'), callers)
  const name = page.getByRole('textbox', { name: 'Tên đội' })
  await name.focus()
  const before = await name.boundingBox()
  answer()
  await expect(page.getByRole('radio').first()).toBeVisible()
  expect(await name.boundingBox()).toEqual(before)
})
