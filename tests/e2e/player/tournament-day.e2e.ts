import { setTimeout as sleep } from 'node:timers/promises'
import type { APIRequestContext, Browser, Locator, Page } from '@playwright/test'
import { sql } from 'kysely'
import { hasAllCases } from '#tests/support/test-run.ts'
import { tournamentFields } from '#server/modules/tournaments/testing/referee.ts'
import { OPEN_TO_ALL } from '#server/modules/tournaments/testing/sign-up.ts'
import { median } from '#tests/harness/numbers.ts'
import { insertPlayer } from '#tests/torture/faults/quick-player.ts'
import { openConsole } from '../admin/staff-page.ts'
import { expect, freshUsername, signIn, test, type Player } from './fixtures.ts'
import { clickHydrated } from './measures.ts'
import { untilRound } from '../admin/console-rows.ts'
import { aStaffMember, withPortalsDb } from './staff.ts'

/** What an act has changed is on every page within this time of its answer; all browsers share the machine of the test. */
const LIVE_MS = 1_000
const LIVE_MS_MAX = 10_000
const CUT_MS = 30_000
/** Of twelve teams some play a round before the quarter-finals. */
const [TEAMS, PHONES] = hasAllCases ? [12, 6] : [6, 3]
const FEE = 100
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

type Entrant = Pick<Player, 'username' | 'token'> & { character: string }

/** Activated players, each with a character that can pay the fee. */
async function someEntrants(dataDir: string, count: number): Promise<Entrant[]> {
  const entrants: Entrant[] = []
  await withPortalsDb(dataDir, async (db) => {
    for (let number = 0; number < count; number++) {
      const username = `${freshUsername()}${number}`
      const token = await insertPlayer(db, username)
      await sql`INSERT INTO activation (user_id, fee) SELECT id, 0 FROM users WHERE username = ${username}`.execute(
        db,
      )
      const { rows } = await sql<{ id: string }>`
        INSERT INTO game.characters (server_id, account, name, head, class_id, level, luong)
        VALUES ('1', ${username}, ${username}, 0, 1, 60, ${FEE}) RETURNING id`.execute(db)
      entrants.push({ username, token, character: rows[0]?.id ?? '' })
    }
  })
  return entrants
}

async function openTournament(request: APIRequestContext, token: string, fields: object): Promise<string> {
  const answer = await request.post('/api/operator/tournaments', {
    headers: { authorization: `Bearer ${token}` },
    data: {
      ...tournamentFields({
        name: `Ngày hội ${Date.now()}`,
        competition_start_at: inHours(2),
        ...OPEN_TO_ALL,
      }),
      max_round: 4,
      check_in_minutes: 0,
      reason: 'Giải thử',
      ...fields,
    },
  })
  expect(answer.ok(), await answer.text()).toBe(true)
  return ((await answer.json()) as { id: string }).id
}

const asDocument = (page: Page) =>
  page.evaluate(() => void ((window as { isSameDocument?: boolean }).isSameDocument = true))

/** A page of somebody's own that is never loaded again. */
async function openPage(browser: Browser, path: string, token?: string): Promise<Page> {
  const baseURL = process.env.PORTAL_URL ?? ''
  const page = await (await browser.newContext({ ...PHONE, baseURL, locale: 'vi-VN' })).newPage()
  await page.addInitScript(() => {
    if (location.protocol !== 'about:') localStorage.setItem('lastSeenHello', String(Date.now()))
  })
  if (token !== undefined) await signIn(page, token)
  await page.goto(path)
  await asDocument(page)
  return page
}

/** Signs up on the page, by hand, with these players invited. */
async function signUpByHand(page: Page, name: string, invited: readonly Entrant[]): Promise<void> {
  const form = page.getByRole('region', { name: 'Đăng ký thi đấu' })
  await form.getByRole('radio').first().check()
  await form.getByLabel('Tên đội').fill(name)
  for (const [index, { username }] of invited.entries())
    await form.getByLabel(`Thành viên ${index + 2}`).fill(username)
  await clickHydrated(form.getByRole('button', { name: 'Đăng ký đội' }))
  await expect(page.getByRole('region', { name: 'Đội của bạn' })).toContainText(name)
}

async function acceptByHand(page: Page): Promise<void> {
  const invitation = page.getByRole('region', { name: 'Lời mời vào đội' })
  await invitation.getByRole('radio').first().check()
  await clickHydrated(invitation.getByRole('button', { name: 'Nhận lời' }))
  await expect(page.getByRole('region', { name: 'Đội của bạn' })).toBeVisible()
}

type Calls = { request: APIRequestContext; id: string }

async function post(
  { request, id }: Calls,
  { token }: Entrant,
  path: string,
  data: object,
): Promise<{ id: string }> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await request.post(`/api/tournaments/${id}/teams${path}`, { headers, data })
  expect(answer.ok(), await answer.text()).toBe(true)
  return (await answer.json()) as { id: string }
}

async function signUpByCall(
  calls: Calls,
  name: string,
  [captain, ...others]: readonly Entrant[],
): Promise<void> {
  const invites = others.map(({ username }) => username)
  const body = { name, character_id: captain?.character, invites }
  const { id } = await post(calls, captain as Entrant, '', body)
  for (const other of others) await post(calls, other, `/${id}/accept`, { character_id: other.character })
}

const ownTeamOf = async ({ request, id }: Calls, { token }: Entrant): Promise<string> => {
  const headers = { authorization: `Bearer ${token}` }
  return ((await (await request.get(`/api/tournaments/${id}/mine`, { headers })).json()) as { id: string }).id
}

async function giveReasonAnd(page: Page, label: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: label })
  await dialog.getByLabel('Lý do').fill('Giải tháng này')
  await dialog.getByRole('button', { name: label }).click()
  await expect(dialog).toBeHidden()
}

type Day = {
  desk: Page
  spectators: readonly Page[]
  overlay: Page
  /** How long each change took to every page. */
  tookMs: number[]
}

/** An act at the desk, until the portal has answered it. */
async function answered(desk: Page, act: () => Promise<void>): Promise<void> {
  const isAct = (url: string) => url.includes('/api/operator/tournaments/')
  const answer = desk.waitForResponse((one) => one.request().method() === 'POST' && isAct(one.url()))
  await act()
  expect((await answer).status()).toBe(200)
}

/** Each of them is seen from now on. */
async function follow({ tookMs }: Day, seen: readonly Locator[]): Promise<void> {
  const from = performance.now()
  await Promise.all(
    seen.map(async (one) => {
      await one.first().waitFor({ timeout: LIVE_MS_MAX })
      tookMs.push(performance.now() - from)
    }),
  )
}

const openCards = (desk: Page): Locator =>
  desk.getByRole('region', { name: /^(Trận \d+|Tranh hạng ba|Chung kết)$/ })

/** One tap for each game that is missing; the side that is named first wins. */
async function winFirst(desk: Page, points: number): Promise<void> {
  const left = await openCards(desk).count()
  const card = openCards(desk).first()
  const before = Number(await card.getByRole('status').first().textContent())
  for (let games = before + 1; games <= points; games++) {
    await card
      .getByRole('button', { name: /^Thêm một ván/ })
      .first()
      .click()
    if (games < points) await expect(card.getByRole('status').first()).toHaveText(String(games))
  }
  await expect(openCards(desk)).toHaveCount(left - 1)
}

/** Calls the first match of the round, plays it, and sees both on every page that follows. */
async function playFollowed(day: Day, points: number): Promise<void> {
  const { desk, spectators, overlay } = day
  const card = openCards(desk).first()
  await answered(desk, () => card.getByRole('button', { name: 'Gọi trận' }).click())
  const timer = (page: Page) => page.getByRole('timer').filter({ hasText: /^Còn \d+ giây$/ })
  await follow(day, [...spectators, overlay].map(timer))
  if (points > 1) {
    const more = card.getByRole('button', { name: /^Thêm một ván/ })
    await answered(desk, () => more.first().click())
    const playing = (page: Page) =>
      page.getByRole('region', { name: 'Trận đang gọi' }).filter({ hasText: 'Đang đấu' })
    await follow(day, [...spectators.map(playing), overlay.getByText('1–0')])
  }
  await winFirst(desk, points)
}

async function playRound(day: Day, { isCut }: { isCut: boolean }): Promise<void> {
  const { desk, spectators } = day
  const title = await desk.getByText(/: thắng \d ván$/).textContent()
  const points = Number(/thắng (\d) ván/.exec(title ?? '')?.[1])
  await playFollowed(day, points)
  const waiting = desk.getByText(/\d+ thao tác chờ gửi/)
  if (isCut) {
    await expect(waiting).toBeHidden()
    await desk.context().setOffline(true)
    await expect(desk.getByText('Mất mạng')).toBeVisible()
  }
  while ((await openCards(desk).count()) > 0) await winFirst(desk, points)
  if (isCut) {
    if (hasAllCases) await sleep(CUT_MS)
    await expect(waiting).toBeVisible()
    await desk.context().setOffline(false)
  }
  await expect(waiting).toBeHidden()
  const decided = spectators.map((page) => page.getByRole('region', { name: 'Trận đang gọi' }))
  for (const called of decided) await expect(called).toHaveCount(0)
}

/** Plays every round at the desk, one of them without network; answers the champion. */
async function playDay(day: Day, rounds: readonly string[]): Promise<string> {
  const { desk, spectators, overlay } = day
  for (const [index, round] of rounds.entries()) {
    const present = spectators.map((page) => page.getByText(`Đang đấu ${round}`))
    // The bracket that a draw has made is read at some moment of the next second, and not by all at once.
    if (index === 0) for (const one of present) await expect(one).toBeVisible()
    else await follow(day, present)
    await expect(desk.getByText(new RegExp(`^${round}: thắng \\d ván$`))).toBeVisible()
    await playRound(day, { isCut: round === 'Tứ kết' })
    const next = rounds[index + 1]
    if (next !== undefined)
      await answered(desk, () => desk.getByRole('button', { name: `Mở ${next.toLowerCase()}` }).click())
  }
  await desk.getByRole('button', { name: 'Kết thúc giải' }).click()
  const ending = desk.getByRole('alertdialog', { name: 'Kết thúc giải' })
  const champion = /Đội vô địch: (.+?)\./.exec((await ending.textContent()) ?? '')?.[1] ?? ''
  await answered(desk, () => ending.getByRole('button', { name: 'Kết thúc giải' }).click())
  await follow(day, [overlay.getByText(`Vô địch: ${champion}`)])
  await expect(desk.getByText(`Vô địch: ${champion}`)).toBeVisible()
  return champion
}

const ROUNDS = [...(TEAMS > 8 ? ['Vòng loại 1'] : []), 'Tứ kết', 'Bán kết', 'Tranh hạng ba', 'Chung kết']

type Format = { type: number; size: number; mode: number; fee: number; title: string }

const FORMATS: Format[] = [
  { type: 1, size: 1, mode: 1, fee: FEE, title: 'single duels for a fee' },
  { type: 2, size: 4, mode: 0, fee: 0, title: 'groups of four, drawn live' },
]

for (const { type, size, mode, fee, title } of FORMATS) {
  // The other format differs in its draw and in who accepts, which tests of their own look at.
  const tag = size === 1 ? [] : '@long'
  test(
    `${TEAMS} teams (${title}) from sign-up to the champion, followed without a reload`,
    { tag },
    async ({ page: desk, browser, request, portal, consoleErrors }) => {
      test.setTimeout(hasAllCases ? 240_000 : 150_000)
      // Calls of the desk without network.
      consoleErrors.expect(/Failed to load resource/)
      const staff = await aStaffMember(request, portal.dataDir, 'referee')
      const id = await openTournament(request, staff.token, { type, mode, fee })
      const entrants = await someEntrants(portal.dataDir, TEAMS * size)
      const teams = Array.from({ length: TEAMS }, (_, number) =>
        entrants.slice(number * size, (number + 1) * size),
      )
      const path = `/tournament/${id}`
      const [spectators, overlay] = await Promise.all([
        Promise.all([openPage(browser, path), openPage(browser, path)]),
        openPage(browser, `${path}/overlay?layout=match`),
      ])
      const calls: Calls = { request, id }
      // Of groups one whole team and two captains, of duels the first ones.
      const byPhone = [...Array(size === 1 ? PHONES : 3).keys()]
      const members = size === 1 ? [] : (teams[0]?.slice(1) ?? [])
      const captains = byPhone.map((team) => teams[team]?.[0] as Entrant)
      const phones = await Promise.all(
        [...captains, ...members].map(({ token }) => openPage(browser, path, token)),
      )
      expect(phones).toHaveLength(PHONES)
      for (const [index, team] of byPhone.entries())
        await signUpByHand(phones[index] as Page, `Đội ${team + 1}`, teams[team]?.slice(1) ?? [])
      for (const page of phones.slice(captains.length)) await acceptByHand(page)
      for (const [number, team] of teams.entries()) {
        if (!byPhone.includes(number)) await signUpByCall(calls, `Đội ${number + 1}`, team)
        else if (number > 0)
          for (const member of team.slice(1))
            await post(calls, member, `/${await ownTeamOf(calls, team[0] as Entrant)}/accept`, {
              character_id: member.character,
            })
      }
      for (const page of phones)
        await expect(page.getByRole('region', { name: 'Đội của bạn' })).toContainText('Đã vào giải')

      await openConsole(desk, staff, `/tournaments/${id}`)
      await expect(desk.getByRole('heading', { name: `Đội (${TEAMS})` })).toBeVisible()
      await desk.getByRole('button', { name: 'Đóng đăng ký', exact: true }).click()
      await giveReasonAnd(desk, 'Đóng đăng ký')
      await untilRound(request, id)
      await desk.getByRole('button', { name: 'Bốc thăm', exact: true }).click()
      await giveReasonAnd(desk, 'Bốc thăm')
      if (mode === 0) await desk.getByRole('button', { name: 'Công bố tất cả' }).click()
      await desk.getByRole('link', { name: 'Bàn trọng tài' }).click()
      const tookMs: number[] = []
      const champion = await playDay({ desk, spectators, overlay, tookMs }, ROUNDS)
      expect(median(tookMs)).toBeLessThan(LIVE_MS)
      for (const page of [...spectators, ...phones])
        await expect(page.getByRole('region', { name: 'Vô địch' })).toContainText(champion)
      for (const page of [...spectators, overlay, ...phones]) {
        expect(await page.evaluate(() => (window as { isSameDocument?: boolean }).isSameDocument)).toBe(true)
        await page.context().close()
      }
    },
  )
}
