import type { Browser, Page } from '@playwright/test'
import { setDeviceClock, WRONG_CLOCKS } from './device-clock.ts'
import { expect, registerTrader, signIn, test, type Player } from './fixtures.ts'
import { inHours, openReferee } from './live-referee.ts'
import { clickHydrated } from './measures.ts'
import { expectAccessibleInBothSchemes } from '../accessible.ts'

/** What an act has changed is on every page within this time. */
const LIVE_MS = 1_000

async function pageOf(browser: Browser, baseURL: string, player?: Player): Promise<Page> {
  const page = await (await browser.newContext({ baseURL, locale: 'vi-VN' })).newPage()
  await page.addInitScript(() => {
    if (location.protocol !== 'about:') localStorage.setItem('lastSeenHello', String(Date.now()))
  })
  if (player) await signIn(page, player.token)
  return page
}

test(
  'two players register a team on their own pages, change it, and leave',
  { tag: '@long' },
  async ({ page, browser, request, portal, consoleErrors }) => {
    consoleErrors.expect(/status of 422/)
    const [captain, friend] = [await registerTrader(request, 0), await registerTrader(request, 0)]
    const referee = await openReferee(request, portal.dataDir, { substitutes: 1 })
    await signIn(page, captain.token)
    await page.goto(`/tournament/${referee.id}`)
    const form = page.getByRole('region', { name: 'Đăng ký thi đấu' })
    await expect(form.getByRole('radio').first()).toBeVisible()
    await form.getByRole('radio').first().check()
    await clickHydrated(form.getByRole('button', { name: 'Đăng ký đội' }))
    await expect(form.getByLabel('Tên đội')).toBeFocused()
    await form.getByLabel('Tên đội').fill('Song Kiếm')
    await form.getByLabel('Thành viên 2').fill('khongcoai')
    await form.getByLabel('Thành viên 2').press('Enter')
    await expect(form.getByRole('alert')).toContainText('Không tìm thấy người chơi “khongcoai”')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Xác nhận' }).click()
    await expect(form.getByLabel('Thành viên 2')).toBeFocused()
    await form.getByLabel('Thành viên 2').fill(friend.username)
    await form.getByRole('button', { name: 'Đăng ký đội' }).click()
    const team = page.getByRole('region', { name: 'Đội của bạn' })
    await expect(team).toContainText('Đã vào giải')
    await expect(team.getByRole('listitem').filter({ hasText: friend.username })).toContainText('Chờ trả lời')
    await expectAccessibleInBothSchemes(page)

    const other = await pageOf(browser, portal.url, friend)
    await other.goto('/tournaments')
    const waiting = other.getByRole('region', { name: 'Lời mời vào đội' })
    await expect(waiting).toContainText('Song Kiếm')
    await other.goto('/user/profile')
    await expect(waiting.getByRole('link', { name: /Trả lời ở trang giải/ })).toBeVisible()
    await other.goto('/user/notices')
    await other.getByRole('link', { name: /Lời mời vào đội/ }).click()
    await expect(other).toHaveURL(/\/tournament\/\d+$/)
    const invitation = other.getByRole('region', { name: 'Lời mời vào đội' })
    await invitation.getByRole('radio').first().check()
    await invitation.getByRole('button', { name: 'Nhận lời' }).click()
    await expect(other.getByRole('region', { name: 'Đội của bạn' })).toContainText('Dự bị')
    // Sent to the captain's page, which is not loaded again.
    await expect(team).toContainText('Dự bị')

    await team.getByRole('button', { name: 'Sửa đội' }).click()
    await team.getByLabel('Tên đội').fill('Song Kiếm Hợp Bích')
    await team.getByRole('button', { name: 'Lưu' }).click()
    await expect(other.getByRole('region', { name: 'Đội của bạn' })).toContainText('Song Kiếm Hợp Bích')

    await team.getByRole('button', { name: 'Rút đội khỏi giải' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Rút đội khỏi giải' }).click()
    await expect(team).toContainText('Đội đã rút khỏi giải.')
    await expect(form).toBeVisible()
    await other.context().close()
  },
)

for (const { name, off_ms } of WRONG_CLOCKS) {
  const tag = name === 'an hour behind' ? [] : '@long'
  test(
    `a team checks in when its time has come, on a phone that is ${name}`,
    { tag },
    async ({ page, request, portal }) => {
      const player = await registerTrader(request, 0)
      const referee = await openReferee(request, portal.dataDir, {
        competition_start_at: inHours(0.4),
        check_in_minutes: 30,
      })
      await setDeviceClock(page, off_ms)
      await signIn(page, player.token)
      await page.goto(`/tournament/${referee.id}`)
      const form = page.getByRole('region', { name: 'Đăng ký thi đấu' })
      await form.getByRole('radio').first().check()
      await form.getByLabel('Tên đội').fill('Độc Hành')
      await form.getByRole('button', { name: 'Đăng ký đội' }).click()
      await page.getByRole('button', { name: 'Điểm danh' }).click()
      await expect(page.getByText(/^Đã điểm danh lúc/)).toBeVisible()
      await page.getByText('Các đội đăng ký').click()
      const listed = page.getByRole('listitem').filter({ hasText: 'Độc Hành' })
      await expect(listed).toContainText('Đã điểm danh')
    },
  )
}

test(
  'spectators and the overlay follow a match without a reload',
  { tag: '@long' },
  async ({ page, browser, request, portal }) => {
    const referee = await openReferee(request, portal.dataDir, {})
    await referee.addTeams('Rồng', 'Hổ', 'Rắn', 'Rùa')
    await page.goto(`/tournament/${referee.id}`)
    await expect(page.getByText('Chưa có lịch thi đấu')).toBeVisible()
    const overlay = await pageOf(browser, portal.url)
    await overlay.context().clearCookies()
    await overlay.goto(`/tournament/${referee.id}/overlay?layout=match`)
    await expect(overlay.locator('.overlay-box')).toBeVisible()
    await expect(overlay.getByRole('banner')).toHaveCount(0)
    await expect(overlay.getByRole('contentinfo')).toHaveCount(0)
    const background = await overlay.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(background).toBe('rgba(0, 0, 0, 0)')
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }))

    await referee.draw()
    await expect(page.getByText('Đang đấu Bán kết')).toBeVisible()
    await expect(overlay.getByText('Bán kết, trận 1')).toBeVisible()
    await referee.atMatch('call')
    const called = page.getByRole('region', { name: 'Trận đang gọi' })
    await expect(called.getByRole('timer')).toHaveText(/^Còn \d+ giây$/, { timeout: LIVE_MS })
    await expect(overlay.getByRole('timer')).toHaveText(/^Còn \d+ giây$/, { timeout: LIVE_MS })

    await referee.atMatch('result', { games1: 2, games2: 1, absent: [] })
    await expect(called).toContainText('Đang đấu', { timeout: LIVE_MS })
    await expect(overlay.getByText('2–1')).toBeVisible({ timeout: LIVE_MS })

    await referee.atMatch('result', { games1: 3, games2: 1, absent: [] })
    await expect(called).toHaveCount(0, { timeout: LIVE_MS })
    const won = page.getByText('Thắng', { exact: true }).filter({ visible: true })
    await expect(won.first()).toBeAttached({ timeout: LIVE_MS })
    await overlay.goto(`/tournament/${referee.id}/overlay?layout=ticker`)
    await expect(overlay.getByText(/Bán kết: .+ 3–1 .+/).first()).toBeVisible()
    expect(await page.evaluate(() => (window as { isSameDocument?: boolean }).isSameDocument)).toBe(true)

    await page.getByText('Kiểm tra bốc thăm').click()
    await page.getByRole('button', { name: 'Tính lại trên máy này' }).click()
    await expect(page.getByText(/^Khớp: danh sách, chữ ký/)).toBeVisible()
    await expectAccessibleInBothSchemes(page)
    await overlay.context().close()
  },
)

test(
  'a live draw places one team after the other, on the page as it is open',
  { tag: '@long' },
  async ({ page, request, portal }) => {
    const referee = await openReferee(request, portal.dataDir, { mode: 0 })
    await referee.addTeams('Rồng', 'Hổ', 'Rắn', 'Rùa')
    await page.goto(`/tournament/${referee.id}`)
    await expect(page.getByText('Chưa có lịch thi đấu')).toBeVisible()
    await referee.draw()
    const news = page.getByRole('status').filter({ hasText: 'Đã bốc thăm' })
    await expect(news).toContainText('0 trên 4 đội')
    const placed = page.getByRole('button', { name: /^(Rồng|Hổ|Rắn|Rùa)$/ }).filter({ visible: true })
    for (const count of [1, 2, 3]) {
      await referee.act('/draw/next')
      await expect(placed).toHaveCount(count, { timeout: LIVE_MS })
      await expect(news).toContainText(/Vừa bốc được: (Rồng|Hổ|Rắn|Rùa), trận [12]/)
    }
    await referee.act('/draw/next')
    await expect(page.getByText('Đang đấu Bán kết')).toBeVisible()
    await expect(placed).toHaveCount(4)
  },
)

test(
  'a player shares a result and the bracket as pictures, and everybody finds the result',
  { tag: '@long' },
  async ({ page, browser, request, portal }) => {
    const player = await registerTrader(request, 0)
    const referee = await openReferee(request, portal.dataDir, { max_round: 1 })
    await referee.addTeams('Hổ')
    await signIn(page, player.token)
    await page.goto(`/tournament/${referee.id}`)
    const form = page.getByRole('region', { name: 'Đăng ký thi đấu' })
    await form.getByRole('radio').first().check()
    await form.getByLabel('Tên đội').fill('Độc Hành')
    await form.getByRole('button', { name: 'Đăng ký đội' }).click()
    await expect(page.getByRole('region', { name: 'Đội của bạn' })).toContainText('Đã vào giải')
    await referee.draw()
    await referee.atMatch('result', { games1: 5, games2: 3, absent: [] })
    await referee.act('/finish')

    const saved = async (button: string) => {
      const saving = page.waitForEvent('download')
      await page.getByRole('button', { name: button, exact: true }).click()
      return (await saving).suggestedFilename()
    }
    await expect(page.getByRole('status').filter({ hasText: /^Độc Hành: (vô địch|á quân)$/ })).toBeVisible()
    expect(await saved('Chia sẻ ảnh')).toBe('ket-qua-thi-dau.png')
    expect(await saved('Chia sẻ ảnh nhánh đấu')).toBe('nhanh-dau.png')

    await page.goto('/tournaments')
    await page.getByRole('link', { name: /^Kết quả của tôi/ }).click()
    const result = page.getByRole('listitem').filter({ hasText: 'Độc Hành' })
    await expect(result).toContainText(/Vô địch|Á quân/)
    await expect(result).toContainText(/Thắng 1 trận, thua 0 trận|Thắng 0 trận, thua 1 trận/)
    expect(await saved('Chia sẻ ảnh')).toBe('ket-qua-thi-dau.png')
    await expectAccessibleInBothSchemes(page)

    const visitor = await pageOf(browser, portal.url)
    await visitor.goto(`/tournament/${referee.id}`)
    await clickHydrated(visitor.getByText('Các đội đăng ký'))
    const listed = visitor.getByRole('listitem').filter({ hasText: 'Độc Hành' })
    await listed.getByRole('link').click()
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(/^Kết quả thi đấu của \S+$/)
    await expect(visitor.getByRole('main').getByRole('listitem')).toContainText(/Vô địch|Á quân/)
    await expectAccessibleInBothSchemes(visitor)
    await visitor.context().close()
  },
)
