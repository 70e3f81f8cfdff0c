import { afterEach, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { aPlayer, creditPlayer, activate, ban, isActivated } from '#tests/support/players.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { withSettings } from '#tests/support/settings.ts'
import { activationMessage } from './traders.service.ts'

const portal = useTestApp()
afterEach(() => expectReconciled(portal))

const activationsOf = (userId: string) =>
  portal.db.selectFrom('activation').selectAll().where('user_id', '=', userId).execute()

test('a player pays the fee once and is activated', async () => {
  const player = await aPlayer(portal, { coins: 50_000 })
  expect(await isActivated(portal, player)).toBe(false)
  const answer = await activate(portal, player)
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      message: 'Kích hoạt tài khoản thành công, phí kích hoạt là 20,000 TCoin',
      report: true,
      balance: 30_000,
      balance_version: 2,
    },
  ])
  expect(await isActivated(portal, player)).toBe(true)

  const again = await activate(portal, player)
  expect([again.status, again.body]).toMatchObject([409, { code: 'ALREADY_ACTIVATED', report: true }])
  expect(await activationsOf(player.id)).toMatchObject([{ fee: '20000' }])
})

test('a player without the fee gets what is missing, and no change of the balance', async () => {
  const player = await aPlayer(portal, { coins: 5_000 })
  const answer = await activate(portal, player)
  expect([answer.status, answer.body]).toMatchObject([
    422,
    {
      code: 'INSUFFICIENT_BALANCE',
      message: 'Bạn còn thiếu: 15,000, vui lòng nạp thêm tiền',
      report: true,
    },
  ])
  expect(await activationsOf(player.id)).toEqual([])
})

test('a refusal is not stored: the same key succeeds once the coins are there', async () => {
  const player = await aPlayer(portal, { coins: 19_999 })
  expect((await activate(portal, player, 'later')).status).toBe(422)
  await creditPlayer(portal, player, 1)
  expect([(await activate(portal, player, 'later')).body]).toMatchObject([{ balance: 0 }])
})

test('a banned player cannot activate', async () => {
  const player = await aPlayer(portal, { coins: 50_000 })
  await ban(portal, player, 'mua bán vật phẩm')
  const answer = await activate(portal, player)
  expect([answer.status, answer.body]).toMatchObject([
    422,
    { code: 'BANNED', message: expect.stringContaining('mua bán vật phẩm') },
  ])
  expect(await activationsOf(player.id)).toEqual([])
})

test('the fee is the setting’s of that moment, and stays with the row', async () => {
  const player = await aPlayer(portal, { coins: 50_000 })
  await withSettings(portal, { active_fee: 12_345 }, async () => {
    expect((await activate(portal, player)).body).toMatchObject({ balance: 37_655 })
  })
  expect(await activationsOf(player.id)).toMatchObject([{ fee: '12345' }])
})

test('with a fee of 0 nothing moves', async () => {
  const player = await aPlayer(portal)
  await withSettings(portal, { active_fee: 0 }, async () => {
    const answer = await activate(portal, player)
    expect([answer.status, answer.body]).toEqual([
      200,
      { message: 'Kích hoạt tài khoản thành công', report: true, balance: 0, balance_version: 0 },
    ])
  })
  expect(await activationsOf(player.id)).toMatchObject([{ fee: '0', transfer_id: null }])
})

test.for([
  { what: 'a fee', fee: 20_000 },
  { what: 'no fee', fee: 0 },
])('of 64 activations at once with $what, one succeeds and the rest are refused as done', async ({ fee }) => {
  const player = await aPlayer(portal, { coins: 1_300_000 })
  await withSettings(portal, { active_fee: fee }, async () => {
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, index) => activate(portal, player, `key ${index}`)),
    )
    expect(answers.filter((answer) => answer.status === 200)).toMatchObject([
      { body: { balance: 1_300_000 - fee } },
    ])
    expect(answers.filter((answer) => answer.body.code === 'ALREADY_ACTIVATED')).toHaveLength(63)
  })
  expect(await activationsOf(player.id)).toHaveLength(1)
})

test('64 copies with one key have one effect and one answer', async () => {
  const player = await aPlayer(portal, { coins: 1_300_000 })
  const answers = await Promise.all(Array.from({ length: 64 }, () => activate(portal, player, 'the same')))
  expect(new Set(answers.map((answer) => JSON.stringify([answer.status, answer.body]))).size).toBe(1)
  expect(answers[0]?.body).toMatchObject({ balance: 1_280_000 })
})

test('without a session there is nothing to activate', async () => {
  expect((await portal.call('POST', '/api/user/active')).status).toBe(401)
})

test('the activation names the fee, when there was one', () => {
  expect(activationMessage(20_000)).toBe('Kích hoạt tài khoản thành công, phí kích hoạt là 20,000 TCoin')
  expect(activationMessage(0)).toBe('Kích hoạt tài khoản thành công')
})
