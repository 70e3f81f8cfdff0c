import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Notice } from '#contract/notices.ts'
import { useMailingApp, useReferee } from '#tests/support/fixtures.ts'
import { giveVerifiedEmail, lettersTo } from '#tests/support/mail.ts'
import { noticesOf } from '#tests/support/notices.ts'
import { closeDue } from '../freeze.service.ts'
import { expireHeld } from '../places.service.ts'
import { inDays, type TestMatch } from '../testing/referee.ts'
import {
  actOnTeam,
  aGroupOf,
  anEntrant,
  type Entrant,
  leaveTeam,
  OPEN_TO_ALL,
  signUp,
  someEntrants,
  takeFees,
} from '../testing/sign-up.ts'
import { remindFollowers, remindOfCheckIn } from './reminders.service.ts'
import { failedWork, retryNow } from '#tests/support/poisoned-row.ts'

const { portal } = useMailingApp()
const referee = useReferee(portal)

const aTournament = (change: object = {}) => referee.aTournament({ ...OPEN_TO_ALL, ...change })
const at = (moment: Date) => ({ ...portal.deps, clock: { now: () => moment } })
const HOUR_MS = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS)

const ownNotices = async ({ player }: Entrant): Promise<Notice[]> =>
  (await noticesOf(portal, player)).filter(({ kind }) => kind === 'tournament')
/** What a player was told of tournaments, the newest first. */
const titles = async (entrant: Entrant) => (await ownNotices(entrant)).map(({ title }) => title)

async function aDuel(count: number, change: object = {}) {
  const id = await aTournament(change)
  const entrants = await someEntrants(portal, count, 100)
  const teams: string[] = []
  for (const entrant of entrants) teams.push((await signUp(portal, id, entrant)).body.id)
  return { id, entrants, teams }
}

describe('a team', () => {
  test('that invites a player tells them once, and everybody when it is in', async () => {
    const { id, team, captain, others, accept } = await aGroupOf(portal, referee, { change: {}, luong: 0 })
    const [first] = others as [Entrant]
    const [invited] = await ownNotices(first)
    expect(invited).toMatchObject({ title: 'Lời mời vào đội', href: `/tournament/${id}` })
    expect(invited?.text).toMatch(/^Người chơi \w+ mời bạn vào đội ở giải “Song Đấu”\. Trả lời trước /)
    await actOnTeam(portal, { id, team, path: 'decline' }, first)
    const invites = others.map(({ player }) => player.username)
    await portal.call('PUT', `/api/tournaments/${id}/teams/${team}`, {
      token: captain.player.token,
      body: { name: 'Tang qua tai trang chu', invites },
    })
    expect(await ownNotices(first)).toHaveLength(1)
    const { username } = captain.player
    expect((await ownNotices(first))[0]?.text).toMatch(
      new RegExp(`^Người chơi ${username} mời bạn vào đội ở giải “Song Đấu”\\. Trả lời trước [\\d/: ]+\\.$`),
    )
    for (const entrant of others) expect((await accept(entrant)).status).toBe(200)
    for (const entrant of others)
      expect(await titles(entrant)).toEqual(['Đội của bạn đã vào giải', 'Lời mời vào đội'])
    expect(await titles(captain)).toEqual(['Đội của bạn đã vào giải'])
    await leaveTeam(portal, { id, team }, first)
    expect((await ownNotices(captain))[0]?.text).toMatch(
      /^Đội của bạn không còn đủ người .*Chỗ được giữ đến /,
    )
  })

  test('that moves up from the waiting list tells its captain until when it has the place', async () => {
    const { id, teams, entrants } = await aDuel(3, { max_round: 1, fee: 50 })
    await takeFees(portal)
    const last = entrants[2]!
    expect(await titles(last)).toEqual([])
    await leaveTeam(portal, { id, team: teams[0]! }, entrants[0]!)
    expect((await ownNotices(last))[0]?.text).toMatch(/đã lên từ danh sách chờ của giải “Song Đấu”/)
    await takeFees(portal)
    expect(await titles(last)).toEqual(['Đội của bạn đã vào giải', 'Đội của bạn đã có chỗ'])
    // Whoever leaves knows it, and hears of the fee.
    expect(await titles(entrants[0]!)).toEqual(['Đã trả lại 50 lượng', 'Đội của bạn đã vào giải'])
  })

  test('whose captain withdraws it tells the others', async () => {
    const { id, team, captain, others, accept } = await aGroupOf(portal, referee, { change: {}, luong: 0 })
    const [first] = others as [Entrant]
    await accept(first)
    await leaveTeam(portal, { id, team }, captain)
    expect((await titles(first))[0]).toBe('Đội của bạn đã rút khỏi giải')
    expect(await titles(captain)).toEqual([])
  })

  test('whose place has expired, that was absent, put out, or not drawn, is told why, once', async () => {
    const expired = await aGroupOf(portal, referee, { change: {}, luong: 0 })
    while (await expireHeld(at(inHours(25))));
    await expireHeld(at(inHours(25)))
    expect(await ownNotices(expired.captain)).toEqual([
      expect.objectContaining({ title: 'Đội của bạn đã mất chỗ', text: expect.stringContaining('giữ chỗ') }),
    ])

    const absent = await aDuel(1, { check_in_minutes: 30 })
    await closeDue(at(inHours(49)))
    await closeDue(at(inHours(49)))
    expect((await ownNotices(absent.entrants[0]!))[0]?.text).toContain('không điểm danh đúng giờ')

    const drawn = await aDuel(4, { fee: 50 })
    await takeFees(portal)
    await referee.act(drawn.id, `/teams/${drawn.teams[0]}/withdraw`)
    const late = await anEntrant(portal)
    await signUp(portal, drawn.id, late)
    expect((await referee.draw(drawn.id)).status).toBe(200)
    expect((await titles(drawn.entrants[0]!))[0]).toBe('Đội của bạn đã ra khỏi giải')
    expect((await titles(late))[0]).toBe('Đội của bạn không vào giải')
  })

  test('of a tournament that is cancelled is told, and of each fee that came back', async () => {
    const { id, entrants } = await aDuel(2, { fee: 50 })
    await takeFees(portal)
    const unpaid = await anEntrant(portal)
    await signUp(portal, id, unpaid)
    await referee.act(id, '/cancel')
    await takeFees(portal)
    expect(await titles(unpaid)).toEqual(['Giải đấu đã bị hủy'])
    for (const entrant of entrants) {
      expect((await titles(entrant)).slice(0, 2)).toEqual(['Đã trả lại 50 lượng', 'Giải đấu đã bị hủy'])
      expect((await ownNotices(entrant))[1]?.text).toBe(
        'Giải “Song Đấu” không diễn ra nữa. Lệ phí đã đóng được trả lại trong game.',
      )
    }
  })

  test('whose fee the game refuses is told the reason, the captain and who pays', async () => {
    const { captain, others, accept } = await aGroupOf(portal, referee, {
      change: { fee: 103, fee_payer: 'member' },
      luong: 30,
    })
    const [poor] = others as [Entrant]
    await sql`UPDATE game.characters SET luong = 1 WHERE id = ${poor.character}::bigint`.execute(portal.db)
    for (const entrant of others) await accept(entrant)
    await takeFees(portal)
    for (const entrant of [captain, poor]) {
      const [notice] = await ownNotices(entrant)
      expect(notice?.title).toBe('Chưa trừ được lệ phí')
      expect(notice?.text).toMatch(/^Lệ phí 25 lượng của đội của bạn .*: nhân vật không đủ lượng\./)
    }
    expect(await titles(others[1]!)).toEqual(['Lời mời vào đội'])
  })
})

describe('the check-in', () => {
  const open = () => at(new Date(Date.parse(inDays(2)) - 10 * 60_000))

  test('that opens is told to each player once, also when the job is killed half-way and runs twice', async () => {
    const { entrants } = await aDuel(3, { check_in_minutes: 30 })
    await giveVerifiedEmail(portal, entrants[0]!.player.id, 'nhac@thu.test')
    await giveVerifiedEmail(portal, entrants[1]!.player.id, 'khong-nhac@thu.test')
    await portal.call('PUT', '/api/notices/preferences', {
      token: entrants[1]!.player.token,
      body: { tournament: { bell: true, mail: false } },
    })
    const before = await titles(entrants[0]!)
    await remindOfCheckIn(portal.deps)
    expect(await titles(entrants[0]!)).toEqual(before)
    const vault = { ...portal.deps.vault, seal: () => Promise.reject(new Error('killed here')) }
    await remindOfCheckIn({ ...open(), vault })
    expect(await failedWork(portal)).toMatchObject([{ job: 'tournament check-in', error: 'killed here' }])
    expect(await titles(entrants[0]!)).toEqual(before)
    // Of those who get no mail none waits for the one whose mail failed.
    expect(await titles(entrants[1]!)).toEqual(['Đã mở điểm danh', ...before])
    await retryNow(portal)
    await Promise.all([remindOfCheckIn(open()), remindOfCheckIn(open())])
    await remindOfCheckIn(open())
    for (const entrant of entrants) expect(await titles(entrant)).toEqual(['Đã mở điểm danh', ...before])
    const letters = await lettersTo(portal, 'nhac@thu.test')
    expect(letters.map(({ subject }) => subject)).toEqual(['Đã mở điểm danh'])
    expect(letters[0]?.action?.url).toMatch(/^http.*\/tournament\/\d+$/)
    expect(await lettersTo(portal, 'khong-nhac@thu.test')).toEqual([])
  })

  test('is not told to a team that is there already, nor when the kind is turned off', async () => {
    const { id, entrants, teams } = await aDuel(2, {
      check_in_minutes: 1440,
      competition_start_at: inDays(0.5),
    })
    await actOnTeam(portal, { id, team: teams[0]!, path: 'check-in' }, entrants[0]!)
    await portal.call('PUT', '/api/notices/preferences', {
      token: entrants[1]!.player.token,
      body: { tournament: { bell: false, mail: false } },
    })
    await remindOfCheckIn(portal.deps)
    for (const entrant of entrants) expect(await titles(entrant)).not.toContain('Đã mở điểm danh')
  })
})

describe('a team that waits for a place', () => {
  const aWaitingTeam = () =>
    aDuel(3, { max_round: 1, check_in_minutes: 1440, competition_start_at: inDays(0.5) })
  const read = async (id: string, { player }: Entrant) =>
    (await portal.call('GET', `/api/tournaments/${id}/mine`, { token: player.token })).body

  test('is told that it has to check in, by when, and what comes of it', async () => {
    const { id, entrants, teams } = await aWaitingTeam()
    const waiting = entrants[2]!
    const by = (await referee.read(id)).competition_start_at
    expect(await read(id, waiting)).toMatchObject({
      state: 'waiting',
      moves_up: 'if-checked-in',
      check_in: { from: expect.any(String), by },
    })
    await remindOfCheckIn(portal.deps)
    const [notice] = await ownNotices(waiting)
    expect(notice?.text).toMatch(
      /^Đội của bạn đang ở danh sách chờ của giải “Song Đấu”\. Hãy điểm danh .+ chỉ đội đã điểm danh được lên/,
    )
    expect((await ownNotices(entrants[0]!))[0]?.text).toContain('đội vắng sẽ mất chỗ')
    await actOnTeam(portal, { id, team: teams[2]!, path: 'check-in' }, waiting)
    expect(await read(id, waiting)).toMatchObject({ state: 'waiting', moves_up: 'by-itself', check_in: null })
    for (const which of [0, 1])
      await actOnTeam(portal, { id, team: teams[which]!, path: 'check-in' }, entrants[which]!)
    await referee.act(id, '/close')
    expect(await read(id, waiting)).toMatchObject({ state: 'waiting', moves_up: 'by-itself', check_in: null })
    await referee.act(id, `/teams/${teams[0]}/withdraw`)
    expect(await read(id, waiting)).toMatchObject({ state: 'admitted', moves_up: null })
  })

  test('and has not checked in is out at the close, and told so', async () => {
    const { id, entrants } = await aWaitingTeam()
    await referee.act(id, '/close')
    expect(await read(id, entrants[2]!)).toMatchObject({
      state: 'withdrawn',
      withdrawn_for: 'absent',
      check_in: null,
    })
    expect((await titles(entrants[2]!))[0]).toBe('Đội của bạn đã mất chỗ')
  })
})

describe('somebody who only watches', () => {
  const remind = (id: string, { player: { token } }: Entrant, wanted: boolean) =>
    portal.call('PUT', `/api/tournaments/${id}/reminder`, { token, body: { wanted } })

  test('is told that the tournament begins, once, by the bell and by mail, when they asked for it', async () => {
    const id = await aTournament({ competition_start_at: inDays(1) })
    const watchers = await Promise.all([1, 2, 3].map(() => anEntrant(portal)))
    const [first, second, third] = watchers as [Entrant, Entrant, Entrant]
    await giveVerifiedEmail(portal, first.player.id, 'khan-gia@thu.test')
    for (const watcher of watchers) expect((await remind(id, watcher, true)).body).toEqual({ wanted: true })
    expect((await remind(id, first, true)).body).toEqual({ wanted: true })
    expect((await remind(id, second, false)).body).toEqual({ wanted: false })
    await portal.call('PUT', '/api/notices/preferences', {
      token: third.player.token,
      body: { tournament: { bell: false, mail: true } },
    })
    await remindFollowers(at(inHours(23)))
    expect(await titles(first)).toEqual([])
    const { vault } = portal.deps
    const begun = () => at(inHours(25))
    const killed = { ...vault, seal: () => Promise.reject(new Error('killed here')) }
    await remindFollowers({ ...begun(), vault: killed })
    expect(await failedWork(portal)).toMatchObject([{ job: 'tournament followers', error: 'killed here' }])
    await retryNow(portal)
    await Promise.all([remindFollowers(begun()), remindFollowers(begun())])
    await remindFollowers(begun())
    expect(await ownNotices(first)).toMatchObject([
      {
        title: 'Giải đấu bắt đầu',
        text: 'Giải “Song Đấu” bắt đầu rồi. Mời bạn vào xem trực tiếp.',
        href: `/tournament/${id}`,
      },
    ])
    expect(await titles(second)).toEqual([])
    expect(await titles(third)).toEqual([])
    const [letter, ...others] = await lettersTo(portal, 'khan-gia@thu.test')
    expect(letter).toMatchObject({
      subject: 'Giải đấu bắt đầu',
      action: { label: 'Mở trang giải đấu', url: expect.stringMatching(new RegExp(`/tournament/${id}$`)) },
    })
    expect(others).toEqual([])
  })

  test('is not told of a tournament that is cancelled, nor can follow one that has begun', async () => {
    const id = await aTournament({ competition_start_at: inDays(1) })
    const watcher = await anEntrant(portal)
    await remind(id, watcher, true)
    await referee.act(id, '/cancel')
    await remindFollowers(at(inHours(25)))
    expect(await titles(watcher)).toEqual([])
    const late = await remind(id, watcher, true)
    expect([late.status, late.body.code]).toEqual([409, 'CONFLICT'])
    const duel = await aDuel(2, { max_round: 1 })
    await referee.draw(duel.id)
    expect((await remind(duel.id, watcher, true)).status).toBe(409)
    expect((await remind('999999999', watcher, true)).status).toBe(404)
    const { body } = await portal.call('GET', `/api/tournaments/${id}/reminder`, {
      token: watcher.player.token,
    })
    expect(body).toEqual({ wanted: true })
  })

  test('changes it sixty times a minute at most', async () => {
    const id = await aTournament({ competition_start_at: inDays(1) })
    const watcher = await anEntrant(portal)
    const answers = await Promise.all(Array.from({ length: 61 }, (_, n) => remind(id, watcher, n % 2 === 0)))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
  })
})

describe('a match', () => {
  const matches = async (id: string): Promise<TestMatch[]> => (await referee.read(id)).matches
  const first = async (id: string) => (await matches(id))[0]!
  const sidesOf = (match: TestMatch, { teams, entrants }: Awaited<ReturnType<typeof aDuel>>) =>
    [match.team1_id, match.team2_id].map((team) => entrants[teams.indexOf(team ?? '')]!) as [Entrant, Entrant]
  const score = (games1: number, games2: number, absent: readonly (1 | 2)[] = []) => ({
    games1,
    games2,
    absent,
  })

  test('that is called, decided, undone and decided again is told to both teams, each time once', async () => {
    const duel = await aDuel(4, { max_round: 2 })
    const { id } = duel
    await referee.draw(id)
    const match = await first(id)
    const [one, two] = sidesOf(match, duel)
    const key = crypto.randomUUID()
    const call = () =>
      referee.send('POST', referee.at(id, `/matches/${match.id}/call`), { updated_at: match.updated_at }, key)
    await call()
    await call()
    expect((await ownNotices(one))[0]).toMatchObject({
      title: 'Đến lượt đội của bạn',
      href: `/tournament/${id}`,
    })
    expect((await ownNotices(one))[0]?.text).toContain('có 60 giây để có mặt')
    await referee.atMatch(id, await first(id), 'result', score(1, 0))
    await referee.atMatch(id, await first(id), 'result', score(3, 1))
    expect((await ownNotices(one))[0]).toMatchObject({
      title: 'Đội của bạn đã thắng',
      text: 'Bán kết ở giải “Song Đấu”: 3–1.',
    })
    expect((await ownNotices(two))[0]).toMatchObject({
      title: 'Đội của bạn đã thua',
      text: 'Bán kết ở giải “Song Đấu”: 1–3.',
    })
    await referee.act(id, '/undo')
    await referee.atMatch(id, await first(id), 'result', score(0, 0, [1]))
    const expected = ['Kết quả trận đấu đã bị hủy', 'Đội của bạn đã thắng', 'Đến lượt đội của bạn']
    expect((await titles(one)).slice(0, 4)).toEqual(['Đội của bạn đã thua', ...expected])
    expect((await ownNotices(one))[0]?.text).toContain('Đội của bạn vắng mặt.')
    expect((await ownNotices(two))[0]).toMatchObject({
      title: 'Đội của bạn đã thắng',
      text: expect.stringContaining('Đội bên kia vắng mặt.'),
    })
    const others = duel.entrants.filter((entrant) => entrant !== one && entrant !== two)
    for (const entrant of others) expect(await titles(entrant)).toEqual(['Đội của bạn đã vào giải'])
  })

  test('to which nobody came has no winner, and the champion is told at the end', async () => {
    const duel = await aDuel(4, { max_round: 2 })
    const { id } = duel
    await referee.draw(id)
    const match = await first(id)
    await referee.atMatch(id, match, 'result', score(0, 0, [1, 2]))
    for (const entrant of sidesOf(match, duel))
      expect((await titles(entrant))[0]).toBe('Trận đấu không có đội thắng')
    await referee.playOn(id)
    const { winner, teams } = await referee.read(id)
    const champion =
      duel.entrants[duel.teams.indexOf(teams.find((team: { name: string }) => team.name === winner).id)]!
    expect((await ownNotices(champion))[0]?.text).toBe('Chúc mừng đội của bạn, đội vô địch giải “Song Đấu”!')
  })
})
