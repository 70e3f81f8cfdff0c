import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { vietnamDayOf } from '#contract/format.ts'
import { anotherProcess, useTestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { brokenChecks, expectReconciled } from '#tests/support/ledger.ts'
import { anOperator } from '#tests/support/operators.ts'
import { anAddress, ban, type TestPlayer } from '#tests/support/players.ts'
import { eventually, luongOf, workOnce } from '#tests/support/purchases.ts'
import { aTaker, openCheckIn } from '#tests/support/rewards.ts'
import { setSetting } from '#tests/support/settings.ts'
import { hasAllCases } from '#tests/support/test-run.ts'
import type { Refusal } from '#server/platform/values/errors.ts'
import { readCheckIn, takeToday } from './check-in.service.ts'

const portal = useTestApp()
beforeAll(() => openCheckIn(portal))
afterEach(() => expectReconciled(portal))

const today = () => vietnamDayOf(Date.now())
const take = ({ token }: TestPlayer, character: string, key: string | null = randomUUID()) =>
  portal.call('POST', '/api/check-in', { token, body: { character_id: character }, ...(key && { key }) })
const calendar = async ({ token }: TestPlayer) => (await portal.call('GET', '/api/check-in', { token })).body

test('a player takes the goods of today once, and sees which days of the month are taken', async () => {
  const { player, character } = await aTaker(portal)
  const day = Number(today().slice(8))
  const before = await luongOf(portal.db, character)
  const taken = await take(player, character)
  expect([taken.status, taken.body]).toMatchObject([
    200,
    { message: expect.stringContaining(`${day} lượng`), report: true, delivery: { status: 'pending' } },
  ])
  await workOnce(portal.deps)
  expect(await luongOf(portal.db, character)).toBe(before + day)
  const { is_open, month, days } = await calendar(player)
  expect([is_open, month]).toEqual([true, today().slice(0, 7)])
  expect(days.filter(({ claimed }: { claimed: boolean }) => claimed)).toEqual([
    { date: today(), goods: [{ kind: 'luong', quantity: day }], claimed: true },
  ])
  expect((await take(player, character)).body.code).toBe('ALREADY_CHECKED_IN')
})

test('days before the account was made, or the calendar opened, were not missed', async () => {
  const { player } = await aTaker(portal)
  expect((await calendar(player)).since).toBe(today())
  const made = (days: number) =>
    asOwner(portal, `UPDATE users SET created_at = now() - make_interval(days => $2) WHERE id = $1`, [
      player.id,
      days,
    ])
  const opened = (days: number) =>
    asOwner(
      portal,
      `UPDATE settings SET updated_at = now() - make_interval(days => $1) WHERE key = 'check_in_enabled'`,
      [days],
    )
  const ago = (days: number) => vietnamDayOf(Date.now() - days * 86_400_000)
  await made(5)
  await opened(9)
  expect((await calendar(player)).since).toBe(ago(5))
  await made(20)
  expect((await calendar(player)).since).toBe(ago(9))
})

test('of many at the same moment, from two processes and many addresses, each player is given one', async () => {
  const [players, each] = hasAllCases ? [50, 10] : [1, 64]
  const takers: Awaited<ReturnType<typeof aTaker>>[] = []
  for (let count = 0; count < players; count++) takers.push(await aTaker(portal))
  const luongOfAll = () => Promise.all(takers.map(({ character }) => luongOf(portal.db, character)))
  const before = await luongOfAll()
  const other = await anotherProcess(portal)
  try {
    const answers = await Promise.all(
      Array.from({ length: players * each }, async (_, index) => {
        const { player, character } = takers[index % players]!
        const answer = await (index % 2 === 0 ? portal.app : other.app).inject({
          method: 'POST',
          url: '/api/check-in',
          headers: { authorization: `Bearer ${player.token}`, 'x-forwarded-for': anAddress() },
          payload: { character_id: character },
        })
        return answer.json<{ code?: string }>().code ?? 'given'
      }),
    )
    expect(answers.filter((code) => code === 'given')).toHaveLength(players)
    expect(answers.filter((code) => code === 'ALREADY_CHECKED_IN')).toHaveLength(players * (each - 1))
  } finally {
    await other.close()
  }
  const day = Number(today().slice(8))
  await eventually(async () => {
    await workOnce(portal.deps)
    expect(await luongOfAll()).toEqual(before.map((luong) => luong + day))
  })
  const ids = takers.map(({ player }) => player.id)
  const rewards = portal.db.selectFrom('reward').select('user_id').where('user_id', 'in', ids)
  expect((await rewards.execute()).map((row) => row.user_id).toSorted()).toEqual(ids.toSorted())
})

test('64 copies with one key have one effect and one answer', async () => {
  const { player, character } = await aTaker(portal)
  const answers = await Promise.all(Array.from({ length: 64 }, () => take(player, character, 'the same')))
  expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
  expect(answers[0]?.status).toBe(200)
})

test('the day changes at midnight in Vietnam, and a missed day stays missed', async () => {
  const { player, character } = await aTaker(portal)
  const at = (moment: string) => ({ ...portal.deps, clock: { now: () => new Date(moment) } })
  const takeAt = (moment: string) =>
    takeToday(at(moment), {
      userId: player.id,
      key: null,
      overLimit: null,
      body: { character_id: character },
      requestId: 'test',
    }).then(
      ({ message }) => message,
      (error: unknown) => (error as Refusal).code,
    )
  expect(await takeAt('2027-02-27T16:59:59.999Z')).toContain('27 lượng')
  expect(await takeAt('2027-02-27T00:00:00Z')).toBe('ALREADY_CHECKED_IN')
  expect(await takeAt('2027-02-27T17:00:00.000Z')).toContain('28 lượng')
  // The next month.
  expect(await takeAt('2027-02-28T17:00:00Z')).toContain(' 1 lượng')
  const { month, days } = await readCheckIn(at('2027-02-28T16:59:59Z'), player.id)
  expect([month, days.length]).toEqual(['2027-02', 28])
  expect(days.flatMap(({ date, claimed }) => (claimed ? [date] : []))).toEqual(['2027-02-27', '2027-02-28'])
})

test('goods that the game refused may be taken again the same day', async () => {
  const { player, character } = await aTaker(portal)
  const first = await take(player, character)
  await asOwner(portal, `UPDATE delivery SET character_id = 'gone' WHERE id = $1`, [first.body.delivery.id])
  await workOnce(portal.deps)
  expect((await calendar(player)).days.some(({ claimed }: { claimed: boolean }) => claimed)).toBe(false)
  expect((await take(player, character)).status).toBe(200)
  expect((await take(player, character)).body.code).toBe('ALREADY_CHECKED_IN')
  await workOnce(portal.deps)
})

test('who is not activated, banned, or names a character of somebody else is refused', async () => {
  const idle = await aTaker(portal, {})
  expect((await take(idle.player, idle.character)).body.code).toBe('NOT_ACTIVATED')
  const { player, character } = await aTaker(portal)
  const { character: others } = await aTaker(portal)
  expect((await take(player, others)).body.code).toBe('CHARACTER_NOT_FOUND')
  expect((await take(player, '')).body.errors).toHaveProperty('character_id')
  await ban(portal, player)
  expect((await take(player, character)).body.code).toBe('BANNED')
})

test('while it is off nothing is taken', async () => {
  const { player, character } = await aTaker(portal)
  await setSetting(portal, 'check_in_enabled', '0')
  try {
    expect([await take(player, character), await calendar(player)]).toMatchObject([
      { status: 503, body: { code: 'DISABLED' } },
      { is_open: false, days: [] },
    ])
  } finally {
    await setSetting(portal, 'check_in_enabled', '1')
  }
  expect((await take(player, character)).status).toBe(200)
})

test('operators see how many checked in on each of the last days', async () => {
  const { token } = await anOperator(portal, 'editor')
  const counted = async () =>
    (await portal.call('GET', '/api/operator/check-ins', { token })).body.days as {
      day: string
      players: number
    }[]
  const before = await counted()
  expect([before.length, before[0]?.day]).toEqual([31, today()])
  const { player, character } = await aTaker(portal)
  await take(player, character)
  expect((await counted())[0]?.players).toBe((before[0]?.players ?? 0) + 1)
})

test('the reconciliation finds a check-in that is not what its reward was given for', async () => {
  const { player, character } = await aTaker(portal)
  await take(player, character)
  const shift = (days: number) =>
    asOwner(portal, `UPDATE check_in SET day = day + $2::integer WHERE user_id = $1`, [player.id, days])
  await shift(400)
  expect(await brokenChecks(portal)).toEqual([expect.stringMatching(/^R10:/)])
  await shift(-400)
})
