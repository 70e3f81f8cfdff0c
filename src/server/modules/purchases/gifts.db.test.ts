import { afterEach, describe, expect, test } from 'vitest'
import { GIFT_PACKAGES } from '#contract/gift-packages.ts'
import { banPlayer } from '#server/modules/traders/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { useTestApp } from '#tests/support/app.ts'
import { workOnce, charactersOf, eventually, exchange } from '#tests/support/purchases.ts'
import {
  aBuyer,
  codesOf,
  deliveryOf,
  giftOf,
  holdingsOf,
  takeGift,
  type Purchase,
} from '#tests/support/gift-counter.ts'
import { operatorsCall } from '#tests/support/operators.ts'
import { aPlayer, creditPlayer } from '#tests/support/players.ts'
import { balanceOf, expectReconciled } from '#tests/support/ledger.ts'
import { startDeliveryWorker } from './index.ts'
import { refundDelivery } from './operator.service.ts'

const portal = useTestApp()
afterEach(() => expectReconciled(portal))
const aTrader = (coins: number) => aBuyer(portal, coins)
const take = (purchase: Purchase) => takeGift(portal, purchase)

describe('POST /user/buy-package', () => {
  test('takes the coins at once, and the worker brings luong, yen and items, those that last with their end', async () => {
    const { player, character } = await aTrader(60_000)
    const before = await holdingsOf(portal, character)
    const answer = await take({ player, character, id: 49_999 })
    expect(answer).toMatchObject({
      status: 200,
      body: { report: true, balance: 10_001, delivery: { status: 'pending' } },
    })
    expect(answer.body.message).toMatch(
      /^Bạn đã mua gói quà tân thủ 49,999 TCoin cho nhân vật \w+\. Quà đang được chuyển vào game/,
    )
    expect(await giftOf(portal, player)).toBe(49_999)
    await expectReconciled(portal)

    const loops = startDeliveryWorker(portal.deps)
    try {
      await eventually(async () => {
        const { body } = await portal.call('GET', '/api/user/deliveries', { token: player.token })
        expect(body.data).toEqual([
          {
            id: deliveryOf(answer),
            kind: 'gift',
            character_name: expect.any(String),
            goods: [
              { kind: 'luong', quantity: 15_999 },
              { kind: 'yen', quantity: 39_999_999 },
              { kind: 'item', code: 'pet', name: 'thú cưng', quantity: 1 },
              { kind: 'item', code: 'companion', name: 'bạn đồng hành', quantity: 1, days: 3 },
            ],
            amount: 49_999,
            status: 'delivered',
            created_at: expect.any(String),
            settled_at: expect.any(String),
            is_collection_told: false,
            collected_at: null,
            waiting: null,
            replaces: null,
          },
        ])
      })
    } finally {
      await Promise.all(loops.map((loop) => loop.stop()))
    }
    expect(await holdingsOf(portal, character)).toEqual({
      luong: before.luong + 15_999,
      yen: before.yen + 39_999_999,
      items: [
        { code: 'pet', quantity: '1', days: null },
        { code: 'companion', quantity: '1', days: 3 },
      ],
    })
    expect(await balanceOf(portal.db, player.walletId)).toBe(10_001)
    expect(await workOnce(portal.deps)).toBe(0)
  })

  test.each(GIFT_PACKAGES.map(({ id, items }) => [id, items] as const))(
    'the package of %i TCoin costs its amount and promises its goods',
    async (id, items) => {
      const { player, character } = await aTrader(id)
      const answer = await take({ player, character, id })
      expect(answer).toMatchObject({ status: 200, body: { balance: 0 } })
      const row = await portal.db
        .selectFrom('delivery')
        .select(['kind', 'amount', 'account', 'server_id', 'character_id', 'goods'])
        .where('id', '=', deliveryOf(answer))
        .executeTakeFirstOrThrow()
      expect(row).toEqual({
        kind: 'gift',
        amount: String(id),
        account: player.username.toLowerCase(),
        server_id: '1',
        character_id: character,
        goods: items.map(({ good }) => good),
      })
      const { body } = await portal.call('GET', '/api/user/transactions', { token: player.token })
      expect(body.data[0]).toMatchObject({
        type: 'gift',
        amount: -id,
        status: 'pending',
        reference: deliveryOf(answer),
      })
    },
  )

  test('64 at once, each with a key of its own: one gift, paid once', async () => {
    const { player, character } = await aTrader(1_000_000)
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        take({ player, character, id: GIFT_PACKAGES[index % 4]!.id, key: `khác nhau ${index}` }),
      ),
    )
    const bought = answers.filter(({ status }) => status === 200)
    expect(bought).toHaveLength(1)
    expect(codesOf(answers)).toEqual(Array.from({ length: 63 }, () => '409 GIFT_ALREADY_TAKEN'))
    const id = (await giftOf(portal, player))!
    expect(await balanceOf(portal.db, player.walletId)).toBe(1_000_000 - id)
    expect(bought[0]!.body.balance).toBe(1_000_000 - id)
  })

  test('from two sessions of one account at once: one gift', async () => {
    const { player, character } = await aTrader(300_000)
    const login = await portal.call('POST', '/api/auth/login', {
      body: { username: player.username, password: player.password },
    })
    const tokens = [player.token, login.body.access_token as string]
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        take({ player, character, id: 99_999, token: tokens[index % 2]! }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(codesOf(answers))).toEqual(new Set(['409 GIFT_ALREADY_TAKEN']))
    expect(await balanceOf(portal.db, player.walletId)).toBe(200_001)
  })

  test('64 copies under one key: one effect, the same answer; another body is KEY_REUSED', async () => {
    const { player, character } = await aTrader(100_000)
    const key = 'một lần'
    const answers = await Promise.all(Array.from({ length: 64 }, () => take({ player, character, key })))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 64 }, () => 200))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect((await take({ player, character, key })).body).toEqual(answers[0]!.body)
    expect(codesOf([await take({ player, character, id: 19_999, key })])).toEqual(['422 KEY_REUSED'])
    expect(await balanceOf(portal.db, player.walletId)).toBe(90_001)
  })

  test('the key of an exchange is another operation’s', async () => {
    const { player, character } = await aTrader(50_000)
    const key = 'chung một khóa'
    expect((await exchange(portal, { player, character, key })).status).toBe(200)
    expect((await take({ player, character, key })).status).toBe(200)
    expect(await balanceOf(portal.db, player.walletId)).toBe(30_001)
  })

  test('a purchase and many exchanges at once never overdraw', async () => {
    const { player, character } = await aTrader(100_000)
    const answers = await Promise.all([
      ...Array.from({ length: 16 }, () => exchange(portal, { player, character })),
      take({ player, character, id: 49_999 }),
    ])
    const bought = answers.slice(0, 16).filter(({ status }) => status === 200).length
    const gift = answers[16]!.status === 200 ? 49_999 : 0
    expect(await balanceOf(portal.db, player.walletId)).toBe(100_000 - bought * 10_000 - gift)
    expect(codesOf(answers).every((code) => code === '422 INSUFFICIENT_BALANCE')).toBe(true)
  })

  test('a refusal is not stored: the same key succeeds once the coins are there', async () => {
    const { player, character } = await aTrader(9_000)
    const key = 'nạp rồi thử lại'
    expect(await take({ player, character, key })).toMatchObject({
      status: 422,
      body: {
        code: 'INSUFFICIENT_BALANCE',
        message: 'Bạn còn thiếu: 999, vui lòng nạp thêm tiền',
        report: true,
      },
    })
    expect(await giftOf(portal, player)).toBeNull()
    await creditPlayer(portal, player, 999)
    expect(await take({ player, character, key })).toMatchObject({ status: 200, body: { balance: 0 } })
  })

  test('who has a gift is refused for that first, whatever else is wrong', async () => {
    const { player, character } = await aTrader(9_999)
    await take({ player, character })
    const again = await take({ player, character: '999999999', id: 99_999 })
    expect(again).toMatchObject({
      status: 409,
      body: { code: 'GIFT_ALREADY_TAKEN', message: 'Tài khoản đã nhận quà tân thủ', report: true },
    })
  })

  test.each([
    ['no character', { package_id: 9_999 }, 'character_id'],
    ['an empty character', { character_id: '', package_id: 9_999 }, 'character_id'],
    ['null as character', { character_id: null, package_id: 9_999 }, 'character_id'],
    ['no package', { character_id: '1' }, 'package_id'],
    ['null as package', { character_id: '1', package_id: null }, 'package_id'],
    ['nothing at all', {}, 'character_id'],
  ])('%s is required in the words of the specification', async (_, body, field) => {
    const { player } = await aTrader(50_000)
    const answer = await portal.call('POST', '/api/user/buy-package', { token: player.token, body })
    const sentence = 'Vui lòng chọn nhân vật và gói quà tân thủ'
    expect(answer).toMatchObject({ status: 422, body: { code: 'VALIDATION', message: sentence } })
    expect(answer.body.errors[field]).toEqual([sentence])
    expect(await balanceOf(portal.db, player.walletId)).toBe(50_000)
  })

  test.each([1, 0, -9_999, 10_000, 9_999.5, '9999', [9_999], 2 ** 53, 1e300])(
    'a package there is not is refused on its field: %j',
    async (id) => {
      const { player, character } = await aTrader(50_000)
      const answer = await take({ player, character, id })
      expect(answer).toMatchObject({ status: 422, body: { code: 'VALIDATION' } })
      expect(Object.keys(answer.body.errors)).toEqual(['package_id'])
      expect(await giftOf(portal, player)).toBeNull()
    },
  )

  test('another player’s character is answered exactly like one that does not exist', async () => {
    const { player } = await aTrader(50_000)
    const other = await aTrader(0)
    for (const character of [other.character, '999999999', 'x', '../1']) {
      const { status, body } = await take({ player, character })
      expect([status, body.code, body.message]).toEqual([
        422,
        'CHARACTER_NOT_FOUND',
        'Không tìm thấy nhân vật',
      ])
    }
    expect(await balanceOf(portal.db, player.walletId)).toBe(50_000)
  })

  test('an account that is not activated, a running ban, no session: refused', async () => {
    const newcomer = await aPlayer(portal, { coins: 50_000 })
    const [theirs] = await charactersOf(portal, newcomer)
    expect(codesOf([await take({ player: newcomer, character: theirs })])).toEqual(['422 NOT_ACTIVATED'])
    const { player, character } = await aTrader(50_000)
    const ban = (until: Date) =>
      inTransaction(portal.db, (tx) =>
        banPlayer(tx, { userId: player.id, until, reason: 'Lừa đảo', actor: { kind: 'system' } }),
      )
    await ban(new Date(Date.now() + 60_000))
    expect(codesOf([await take({ player, character })])).toEqual(['422 BANNED'])
    const visitor = await portal.call('POST', '/api/user/buy-package', {
      body: { character_id: character, package_id: 9_999 },
    })
    expect(visitor.status).toBe(401)
    await ban(new Date(Date.now() - 1_000))
    expect((await take({ player, character })).status).toBe(200)
  })

  test('a player whose characters were never fetched can buy at once', async () => {
    const { player, character } = await aTrader(9_999)
    await portal.db.deleteFrom('game_character').where('user_id', '=', player.id).execute()
    await portal.db.deleteFrom('game_character_fetch').where('user_id', '=', player.id).execute()
    expect((await take({ player, character })).status).toBe(200)
  })
})

/** The character moves to somebody else, so that the game refuses what is sent to it. */
const moveAway = (character: string) =>
  portal.db.updateTable('game.characters').set({ account: 'nguoikhac' }).where('id', '=', character).execute()

describe('a refund frees the account', () => {
  test('when the game refuses: coins back, no gift held, and another may be taken', async () => {
    const player = await aPlayer(portal, { coins: 9_999, isActivated: true })
    const [gone, here] = await charactersOf(portal, player)
    await moveAway(gone!)
    expect((await take({ player, character: gone })).status).toBe(200)
    await workOnce(portal.deps)
    expect(await giftOf(portal, player)).toBeNull()
    expect(await balanceOf(portal.db, player.walletId)).toBe(9_999)
    await expectReconciled(portal)
    const before = await holdingsOf(portal, here!)
    const again = await take({ player, character: here })
    expect(again.status).toBe(200)
    await workOnce(portal.deps)
    expect(await giftOf(portal, player)).toBe(9_999)
    expect(await holdingsOf(portal, here!)).toMatchObject({
      luong: before.luong + 2_999,
      yen: before.yen + 9_999_999,
    })
    expect(codesOf([await take({ player, character: here })])).toEqual(['409 GIFT_ALREADY_TAKEN'])
  })

  test('when an operator refunds what the game has not applied; what arrived stays taken', async () => {
    const { player, character } = await aTrader(30_000)
    const refund = async (id: string) => (await refundDelivery(portal.deps, operatorsCall(id))).state
    expect(await refund(deliveryOf(await take({ player, character })))).toBe('refunded')
    expect(await giftOf(portal, player)).toBeNull()
    const stored = deliveryOf(await take({ player, character, id: 19_999 }))
    await workOnce(portal.deps)
    expect(await refund(stored)).toBe('delivered')
    expect(await giftOf(portal, player)).toBe(19_999)
    expect(await balanceOf(portal.db, player.walletId)).toBe(10_001)
  })

  test('raced by new purchases never leaves two gifts', async () => {
    for (let round = 0; round < 5; round++) {
      const { player, character } = await aTrader(50_000)
      const first = deliveryOf(await take({ player, character }))
      const [refunded] = await Promise.all([
        refundDelivery(portal.deps, operatorsCall(first)),
        ...Array.from({ length: 8 }, () => take({ player, character, id: 19_999 })),
      ])
      expect(refunded.state).toBe('refunded')
      const live = await portal.db
        .selectFrom('first_gift')
        .select('package_id')
        .where('user_id', '=', player.id)
        .where('voided_at', 'is', null)
        .execute()
      expect(live.length).toBeLessThanOrEqual(1)
      expect(await balanceOf(portal.db, player.walletId)).toBe(50_000 - live.length * 19_999)
      await expectReconciled(portal)
    }
  })
})
