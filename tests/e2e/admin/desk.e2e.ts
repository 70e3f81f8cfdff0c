import type { Browser, Page } from '@playwright/test'
import { expectAccessibleInBothSchemes } from '../accessible.ts'
import { expect } from '../player/fixtures.ts'
import type { StaffMember } from '../player/staff.ts'
import { callerOf, drawnTournament } from './console-rows.ts'
import { openConsole, test } from './staff-page.ts'

const TEAMS = ['Bạch Vân', 'Hắc Phong', 'Thanh Long', 'Xích Diễm']

const card = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()
const waiting = (page: Page) => page.getByText(/\d+ thao tác chờ gửi/)
const refused = (page: Page) => card(page, 'Không thực hiện được')

/** Taps games for a side of a match: 0 is the left one. */
async function win(page: Page, title: string, side: 0 | 1, games: number): Promise<void> {
  const more = card(page, title).getByRole('button', { name: /^Thêm một ván/ })
  const counts = card(page, title).getByRole('status')
  const before = Number(await counts.nth(side).textContent())
  for (let game = 1; game <= games; game++) {
    await more.nth(side).click()
    if (game < games) await expect(counts.nth(side)).toHaveText(String(before + game))
  }
}

const sidesOf = async (page: Page, title: string): Promise<string[]> => {
  const groups = card(page, title).getByRole('group')
  await expect(groups).toHaveCount(2)
  return groups.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''))
}

/** Another referee at a phone of their own. */
async function secondReferee(browser: Browser, baseURL: string, staff: StaffMember, path: string) {
  const page = await (await browser.newContext({ baseURL, locale: 'vi-VN' })).newPage()
  await openConsole(page, staff, path)
  return page
}

test('two referees run a tournament from the desk, one of them without network for a while', async ({
  page,
  browser,
  baseURL,
  aStaff,
  request,
  consoleErrors,
}) => {
  test.setTimeout(180_000)
  // Calls without network, calls that the test cuts, and refusals.
  consoleErrors.expect(/Failed to load resource/)
  const [staff, colleague] = [await aStaff('referee'), await aStaff('referee')]
  const id = await drawnTournament(callerOf(request, staff.token).post, { teams: TEAMS })
  await openConsole(page, staff, `/tournaments/${id}`)
  await page.getByRole('link', { name: 'Bàn trọng tài' }).click()
  const other = await secondReferee(browser, baseURL ?? '', colleague, `/tournaments/${id}/desk`)

  await card(page, 'Trận 1').getByRole('button', { name: 'Gọi trận' }).click()
  await expect(card(page, 'Trận 1').getByRole('timer')).toHaveText(/Còn \d+ giây/)
  await expect(card(other, 'Đã gọi').getByRole('region', { name: 'Trận 1' })).toBeVisible()
  const [first = '', second = ''] = await sidesOf(page, 'Trận 1')
  await press(page, `${first} có mặt`)
  await expect(card(other, 'Trận 1').getByRole('button', { name: `${first} có mặt` })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await press(page, 'Tạm dừng')
  await expect(other.getByText('Giải đang tạm dừng')).toBeVisible()
  await press(other, 'Tiếp tục')
  await expect(page.getByText('Giải đang tạm dừng')).toBeHidden()
  await expectAccessibleInBothSchemes(page)

  // Without network the first match is played to its end; the other referee takes the second one meanwhile.
  await page.context().setOffline(true)
  await expect(page.getByText('Mất mạng')).toBeVisible()
  await win(page, 'Trận 1', 0, 3)
  await card(page, 'Trận 2').getByRole('button', { name: 'Gọi trận' }).click()
  await win(page, 'Trận 2', 0, 1)
  await expect(page.getByText('5 thao tác chờ gửi')).toBeVisible()
  await win(other, 'Trận 2', 1, 1)
  await expect(waiting(other)).toBeHidden()
  await page.context().setOffline(false)
  await expect(waiting(page)).toBeHidden()
  await expect(other.getByText('Đã xong (1)')).toBeVisible()
  // The call and the game upon it were meant for a match that had not begun.
  await expect(refused(page).getByRole('listitem')).toHaveCount(2)
  await expect(refused(page).getByText(/Hiện giờ: .* 0–1 /)).toHaveCount(2)
  await expect(card(page, 'Trận 2').getByRole('status').nth(1)).toHaveText('1')
  await refused(page)
    .getByRole('button', { name: /^Bỏ qua: Gọi trận/ })
    .click()
  await refused(page)
    .getByRole('button', { name: /^Làm lại/ })
    .click()
  await expect(refused(page)).toBeHidden()
  await expect(card(other, 'Trận 2').getByRole('status').first()).toHaveText('1')

  // What is not sent outlives the page.
  const acts = '**/api/operator/tournaments/*/matches/**'
  await page.route(acts, (route) => route.abort())
  await win(page, 'Trận 2', 0, 2)
  await expect(page.getByText('2 thao tác chờ gửi')).toBeVisible()
  await page.reload()
  await expect(page.getByText('2 thao tác chờ gửi')).toBeVisible()
  await page.getByRole('link', { name: 'Trang của giải' }).click()
  await page.getByRole('link', { name: 'Bàn trọng tài còn 2 thao tác chưa gửi' }).click()
  await expect(page.getByText('2 thao tác chờ gửi')).toBeVisible()
  await page.unroute(acts)
  await expect(waiting(page)).toBeHidden()
  await press(page, 'Mở tranh hạng ba')

  await card(other, 'Tranh hạng ba').getByRole('button', { name: 'Gọi trận' }).click()
  await press(other, 'Cả hai đội vắng')
  await press(page, 'Mở chung kết')
  await expect(card(other, 'Chung kết')).toBeVisible()
  expect((await sidesOf(page, 'Chung kết'))[0]).toBe(first)

  await test.step('a correction names what is played again, and is undone', async () => {
    await page.getByText('Các vòng trước').click()
    await press(page, 'Sửa kết quả bán kết, trận 1')
    const dialog = page.getByRole('dialog')
    for (let game = 0; game < 3; game++)
      await dialog.getByRole('button', { name: `Bớt một ván thắng của ${first}` }).click()
    for (let game = 0; game < 3; game++)
      await dialog.getByRole('button', { name: `Thêm một ván thắng cho ${second}` }).click()
    await dialog.getByRole('button', { name: 'Sửa kết quả' }).click()
    await expect(dialog.getByRole('listitem')).toHaveText([/^Tranh hạng ba: .*cả hai đội vắng/])
    await expectAccessibleInBothSchemes(page)
    await dialog.getByRole('button', { name: 'Sửa và đấu lại 1 trận' }).click()
    await expect(dialog).toBeHidden()
    await expect(card(other, 'Tranh hạng ba')).toBeVisible()
    await press(other, 'Hoàn tác')
    const undoing = other.getByRole('alertdialog', { name: 'Hoàn tác' })
    await expect(undoing).toContainText('sửa kết quả: Bán kết, trận 1')
    await undoing.getByRole('button', { name: 'Hoàn tác' }).click()
    await expect(card(page, 'Chung kết')).toBeVisible()
  })

  await win(page, 'Chung kết', 0, 5)
  await press(page, 'Kết thúc giải')
  const ending = page.getByRole('alertdialog', { name: 'Kết thúc giải' })
  await expect(ending).toContainText(`Đội vô địch: ${first}.`)
  await ending.getByRole('button', { name: 'Kết thúc giải' }).click()
  await expect(page.getByText(`Vô địch: ${first}`)).toBeVisible()
  await expect(other.getByText(`Vô địch: ${first}`)).toBeVisible()
  await other.context().close()
})

test('a game that was tapped stays on the screen while it is sent and answered', async ({
  page,
  aStaff,
  request,
}) => {
  const staff = await aStaff('referee')
  const id = await drawnTournament(callerOf(request, staff.token).post, { teams: TEAMS })
  await openConsole(page, staff, `/tournaments/${id}/desk`)
  const count = card(page, 'Trận 1').getByRole('status').first()
  await expect(count).toHaveText('0')
  await count.evaluate((element) => {
    const shown: (string | null)[] = []
    Object.assign(window, { shown })
    new MutationObserver(() => shown.push(element.textContent)).observe(element, {
      subtree: true,
      childList: true,
      characterData: true,
    })
  })
  for (const games of [1, 2]) {
    const answer = page.waitForResponse((one) => one.request().method() === 'POST')
    await card(page, 'Trận 1')
      .getByRole('button', { name: /^Thêm một ván/ })
      .first()
      .click()
    await answer
    await expect(waiting(page)).toBeHidden()
    await expect(count).toHaveText(String(games))
  }
  expect(await page.evaluate(() => (window as unknown as { shown: string[] }).shown)).toEqual(['1', '2'])
})

test('no button of the desk moves while a tap waits for its answer or the network is away', async ({
  page,
  aStaff,
  request,
  consoleErrors,
}) => {
  consoleErrors.expect(/Failed to load resource/)
  const staff = await aStaff('referee')
  const id = await drawnTournament(callerOf(request, staff.token).post, { teams: TEAMS })
  await openConsole(page, staff, `/tournaments/${id}/desk`)
  await card(page, 'Trận 1').getByRole('button', { name: 'Gọi trận' }).click()
  await expect(card(page, 'Trận 1').getByRole('timer')).toBeVisible()
  await expect(waiting(page)).toBeHidden()
  const places = () =>
    page
      .getByRole('region', { name: /^Trận \d$/ })
      .getByRole('button', { name: /^(Thêm|Bớt) một ván/ })
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)))
  const before = await places()
  expect(before).toHaveLength(8)
  const answers = Promise.withResolvers<void>()
  await page.route('**/api/operator/tournaments/*/matches/**', async (route) => {
    await answers.promise
    await route.continue()
  })
  await win(page, 'Trận 1', 0, 1)
  await expect(waiting(page)).toBeVisible()
  expect(await places()).toEqual(before)
  await page.context().setOffline(true)
  await expect(page.getByText('Mất mạng')).toBeVisible()
  expect(await places()).toEqual(before)
  answers.resolve()
  await page.context().setOffline(false)
  await expect(waiting(page)).toBeHidden()
  expect(await places()).toEqual(before)
  await page.context().setOffline(true)
  await expect(page.getByText('Mất mạng')).toBeVisible()
  expect(await places()).toEqual(before)
  await page.context().setOffline(false)
})
