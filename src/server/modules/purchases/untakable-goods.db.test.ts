import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { CALENDAR_DAYS } from '#contract/operator/rewards/goods.ts'
import { useTestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { runningBatch } from '#tests/support/gift-codes.ts'
import { balanceOf } from '#tests/support/bank.ts'
import { aTaker, gameTakes, openCheckIn, stopMilestones } from '#tests/support/rewards.ts'
import { changeSettings, inHours, setSetting } from '#tests/support/settings.ts'

const portal = useTestApp()
const { owner, second } = useOperators(portal, { owner: 'owner', second: 'owner' })
beforeEach(async () => {
  await asOwner(portal, 'DELETE FROM game_description')
  await stopMilestones(portal)
})

const ask = (path: string, body: object, by = owner) =>
  portal.call('POST', `/api/operator/${path}`, { token: by.token, body: { reason: 'Thử món quà', ...body } })

const item = (code: string, quantity = 1) => ({ kind: 'item', code, quantity })

const planMilestones = (goods: object[]) =>
  ask('milestones', {
    title: 'Mốc tháng mười hai',
    starts_at: inHours(0),
    ends_at: inHours(24),
    claims_until: inHours(24),
    steps: [{ at: 100_000, goods }],
  })

const makeCodes = (goods: object[]) =>
  ask('gift-code-batches', {
    title: 'Mã khai trương',
    coins: null,
    budget_id: null,
    goods,
    starts_at: inHours(0),
    ends_at: inHours(24),
    codes: 1,
    uses_per_code: 10,
    per_player: 1,
    server_id: null,
  })

test.for([
  ['an item that the game does not have', [item('thu-cung', 5_000)]],
  ['more of an item than it takes', [item('pet', 100)]],
  ['more luong than it takes', [{ kind: 'luong', quantity: 20_001 }]],
  ['the same item twice, together too many', [item('pet', 60), item('pet', 60)]],
] as const)('%s cannot be planned', async ([, goods]) => {
  await gameTakes(portal, { pet: 99 }, { luong: 20_000, yen: 20_000 })
  expect(await planMilestones([...goods])).toMatchObject({
    status: 422,
    body: { errors: { steps: [expect.any(String)] } },
  })
  expect(await makeCodes([...goods])).toMatchObject({
    status: 422,
    body: { errors: { goods: [expect.any(String)] } },
  })
  const calendar = Array.from({ length: CALENDAR_DAYS }, () => goods)
  expect(
    await changeSettings(portal, {
      token: owner.token,
      values: { check_in_goods: JSON.stringify(calendar) },
    }),
  ).toMatchObject({ status: 422, body: { errors: { check_in_goods: [expect.any(String)] } } })
})

test('items can be planned before the game says what it has, and start once it has said it', async () => {
  const program = await planMilestones([item('pet')])
  const codes = await makeCodes([item('pet')])
  expect([program.status, codes.status]).toEqual([201, 201])
  const starts = [`milestones/${program.body.id}/start`, `gift-code-batches/${codes.body.batch.id}/start`]
  for (const start of starts) expect((await ask(start, {})).body.code).toBe('CONFLICT')
  await gameTakes(portal, { pet: 99 })
  for (const start of starts) expect((await ask(start, {})).status).toBe(202)
})

test('what the game has lost since cannot be approved, with the reason', async () => {
  await gameTakes(portal, { pet: 99 })
  const { batch } = (await makeCodes([item('pet', 10)])).body
  const { proposal } = (await ask(`gift-code-batches/${batch.id}/start`, {})).body
  await gameTakes(portal, { pet: 9 })
  expect(await ask(`proposals/${proposal.id}/approve`, {}, second)).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT', message: 'Mỗi lần game nhận tối đa 9 Món pet' },
  })
  await gameTakes(portal, { pet: 10 })
  expect((await ask(`proposals/${proposal.id}/approve`, {}, second)).status).toBe(200)
})

test('a check-in whose goods the game does not take cannot be opened', async () => {
  const calendar = Array.from({ length: CALENDAR_DAYS }, () => [item('thu-cung')])
  await setSetting(portal, 'check_in_goods', JSON.stringify(calendar))
  await setSetting(portal, 'check_in_enabled', '0')
  await gameTakes(portal, { pet: 99 })
  expect(
    await changeSettings(portal, { token: owner.token, values: { check_in_enabled: '1' } }),
  ).toMatchObject({
    status: 422,
    body: { errors: { check_in_enabled: ['Game không có vật phẩm “thu-cung”'] } },
  })
})

test('a code whose goods the game does not take any more uses nothing up, and works once it does', async () => {
  await gameTakes(portal, {})
  const { player, character } = await aTaker(portal)
  const { id, codes } = await runningBatch(portal, { coins: null, goods: [item('thu-cung')] })
  const redeem = () =>
    portal.call('POST', '/api/gift-codes/redeem', {
      token: player.token,
      body: { code: codes[0], character_id: character },
      key: 'mot-khoa',
    })
  const used = async () =>
    (
      await sql<{ uses: number; rewards: string }>`
        SELECT uses, (SELECT count(*) FROM reward WHERE user_id = ${player.id}::bigint) AS rewards
          FROM gift_code_batch WHERE id = ${id}::bigint`.execute(portal.db)
    ).rows[0]
  expect(await redeem()).toMatchObject({
    status: 409,
    body: { code: 'GOODS_UNAVAILABLE', message: expect.stringContaining('Bạn chưa mất gì') },
  })
  expect(await used()).toEqual({ uses: 0, rewards: '0' })
  await gameTakes(portal, { 'thu-cung': 1 })
  expect((await redeem()).status).toBe(200)
  expect(await used()).toEqual({ uses: 1, rewards: '1' })
})

test('the daily check-in waits for the game, too', async () => {
  await openCheckIn(portal)
  await gameTakes(portal, {}, { luong: 0, yen: 0 })
  const { player, character } = await aTaker(portal)
  const take = () =>
    portal.call('POST', '/api/check-in', { token: player.token, body: { character_id: character } })
  expect((await take()).body.code).toBe('GOODS_UNAVAILABLE')
  await gameTakes(portal, {})
  expect((await take()).status).toBe(200)
})

test('a starter package that the game does not take is not sold', async () => {
  await gameTakes(portal, { companion: 99 })
  const { player, character } = await aTaker(portal, { isActivated: true, coins: 20_000 })
  const before = await balanceOf(portal, player)
  const buy = () =>
    portal.call('POST', '/api/user/buy-package', {
      token: player.token,
      body: { package_id: 9_999, character_id: character },
    })
  expect((await buy()).body.code).toBe('GOODS_UNAVAILABLE')
  expect(await balanceOf(portal, player)).toBe(before)
  await gameTakes(portal, { pet: 1 })
  expect((await buy()).status).toBe(200)
})

test('operators choose among the items by the names that players read', async () => {
  const list = () => portal.call('GET', '/api/operator/goods', { token: owner.token })
  expect((await list()).body).toEqual({ catalogue: null })
  await gameTakes(portal, { pet: 99, sach: 5 })
  expect((await list()).body).toEqual({
    catalogue: {
      items: [
        { code: 'pet', name: 'thú cưng', max: 99 },
        { code: 'sach', name: 'Món sach', max: 5 },
      ],
      max: { luong: 2_000_000_000, yen: 2_000_000_000 },
    },
  })
})
