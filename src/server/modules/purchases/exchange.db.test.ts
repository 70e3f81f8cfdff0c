import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { banPlayer } from '#server/modules/traders/index.ts'
import { startDeliveryWorker } from './index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { useTestApp } from '#tests/support/app.ts'
import { setSetting } from '#tests/support/settings.ts'
import { aPlayer, creditPlayer, type TestPlayer } from '#tests/support/players.ts'
import { balanceOf, expectReconciled } from '#tests/support/ledger.ts'
import { buyLuongFor, charactersOf, eventually, exchange, luongOf } from '#tests/support/purchases.ts'

const portal = useTestApp()
afterEach(() => expectReconciled(portal))

async function aTrader(coins: number): Promise<{ player: TestPlayer; character: string }> {
  const player = await aPlayer(portal, { coins, isActivated: true })
  const [character] = await charactersOf(portal, player)
  return { player, character: character! }
}

const changeSetting = (key: string, value: string) => setSetting(portal, key, value)

describe('GET /exchange', () => {
  test('shows a visitor the amounts with what each buys, and no characters', async () => {
    const { status, body } = await portal.call('GET', '/api/exchange')
    expect(status).toBe(200)
    expect(body).toEqual({
      amounts: [
        { amount: 10_000, receive: 3_300 },
        { amount: 20_000, receive: 6_600 },
        { amount: 50_000, receive: 16_500 },
        { amount: 100_000, receive: 33_000 },
        { amount: 200_000, receive: 66_000 },
        { amount: 500_000, receive: 165_000 },
      ],
      characters: [],
      bonus: 10,
      characters_at: null,
      item_names: { companion: 'bạn đồng hành', pet: 'thú cưng' },
    })
  })

  test('a dead token is a visitor', async () => {
    const { status, body } = await portal.call('GET', '/api/exchange', { token: 'khong-co-that' })
    expect([status, (body as { characters: [] }).characters]).toEqual([200, []])
  })

  test('shows a player their characters, the strongest first, and when they were read', async () => {
    const player = await aPlayer(portal)
    const { body, headers } = await portal.call('GET', '/api/exchange', { token: player.token })
    const { characters, characters_at } = body as {
      characters: { id: string; name: string; info: { head: number; classId: number; level: number } }[]
      characters_at: string
    }
    expect(characters).toHaveLength(3)
    expect(Object.keys(characters[0]!).sort()).toEqual(['id', 'info', 'name'])
    expect(Object.keys(characters[0]!.info).sort()).toEqual([
      'classId',
      'className',
      'head',
      'headName',
      'level',
    ])
    const levels = characters.map(({ info }) => info.level)
    expect(levels).toEqual(levels.toSorted((a, b) => b - a))
    expect(Math.abs(Date.parse(characters_at) - Date.now())).toBeLessThan(30_000)
    expect(headers['cache-control']).toBe('no-store')
  })
})

describe('POST /exchange/store', () => {
  test('takes the coins at once, and the worker brings exactly what was promised', async () => {
    const { player, character } = await aTrader(60_000)
    const before = await luongOf(portal.db, character)
    const answer = await exchange(portal, { player, character, amount: 50_000 })
    expect(answer).toMatchObject({
      status: 200,
      body: { report: true, balance: 10_000, delivery: { status: 'pending' } },
    })
    expect((answer.body as { message: string }).message).toMatch(
      /^Bạn đã đổi 50,000 TCoin lấy 16,500 lượng cho nhân vật \w+\. Lượng đang được chuyển vào game/,
    )
    await expectReconciled(portal)

    const loops = startDeliveryWorker(portal.deps)
    await eventually(async () => {
      const { body } = await portal.call('GET', '/api/user/deliveries', { token: player.token })
      expect((body as { data: unknown[] }).data).toEqual([
        {
          id: (answer.body as { delivery: { id: string } }).delivery.id,
          kind: 'exchange',
          character_name: expect.any(String),
          goods: [{ kind: 'luong', quantity: 16_500 }],
          amount: 50_000,
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
    await Promise.all(loops.map((loop) => loop.stop()))
    expect(await luongOf(portal.db, character)).toBe(before + 16_500)
    expect(await balanceOf(portal.db, player.walletId)).toBe(10_000)
  })

  test('writes down the terms it was bought at, whatever they become later', async () => {
    const { player, character } = await aTrader(20_000)
    await changeSetting('exchange_rate', '50')
    await changeSetting('exchange_bonus', '25')
    const id = await buyLuongFor(portal, { player, character, amount: 20_000 })
    await changeSetting('exchange_rate', '30')
    await changeSetting('exchange_bonus', '10')
    const order = await portal.db
      .selectFrom('exchange_order')
      .select(['amount', 'rate', 'bonus_percent', 'receive', 'user_id'])
      .where('delivery_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(order).toEqual({
      amount: '20000',
      rate: '50',
      bonus_percent: '25',
      receive: '12500',
      user_id: player.id,
    })
  })

  test('64 players’ hands on one balance, each with a key of its own: one gets it', async () => {
    const { player, character } = await aTrader(100_000)
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        exchange(portal, { player, character, amount: 100_000, key: `khác nhau ${index}` }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.map(({ status, body }) => [status, (body as { code: string }).code])).toEqual(
      Array.from({ length: 63 }, () => [422, 'INSUFFICIENT_BALANCE']),
    )
    expect(await balanceOf(portal.db, player.walletId)).toBe(0)
  })

  test('64 copies under one key: one effect, the same answer', async () => {
    const { player, character } = await aTrader(100_000)
    const answers = await Promise.all(
      Array.from({ length: 64 }, () =>
        exchange(portal, { player, character, amount: 10_000, key: 'một lần' }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 64 }, () => 200))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(await balanceOf(portal.db, player.walletId)).toBe(90_000)
    const again = await exchange(portal, { player, character, amount: 10_000, key: 'một lần' })
    expect(again.body).toEqual(answers[0]!.body)
    expect(await balanceOf(portal.db, player.walletId)).toBe(90_000)
  })

  test('the same key with another body is KEY_REUSED; another player’s same key is their own', async () => {
    const { player, character } = await aTrader(100_000)
    const key = 'đã dùng'
    await buyLuongFor(portal, { player, character, key })
    const reused = await exchange(portal, { player, character, amount: 20_000, key })
    expect([reused.status, (reused.body as { code: string }).code]).toEqual([422, 'KEY_REUSED'])
    const other = await aTrader(10_000)
    expect((await exchange(portal, { ...other, key })).status).toBe(200)
    expect(await balanceOf(portal.db, player.walletId)).toBe(90_000)
  })

  test('a refusal is not stored: the same key succeeds once the coins are there', async () => {
    const { player, character } = await aTrader(9_000)
    const key = 'nạp rồi thử lại'
    const refused = await exchange(portal, { player, character, key })
    expect(refused).toMatchObject({
      status: 422,
      body: {
        code: 'INSUFFICIENT_BALANCE',
        message: 'Bạn còn thiếu: 1,000, vui lòng nạp thêm tiền',
        report: true,
      },
    })
    await creditPlayer(portal, player, 1_000)
    expect(await exchange(portal, { player, character, key })).toMatchObject({
      status: 200,
      body: { balance: 0 },
    })
  })

  test('another player’s character is answered exactly like one that does not exist', async () => {
    const { player } = await aTrader(50_000)
    const other = await aTrader(0)
    const answers = await Promise.all(
      [other.character, '999999999', 'x', '../1'].map((character) => exchange(portal, { player, character })),
    )
    for (const { status, body } of answers) {
      const { requestId, ...refusal } = body as Record<string, unknown>
      expect(requestId).toBeTypeOf('string')
      expect([status, refusal]).toEqual([
        422,
        { code: 'CHARACTER_NOT_FOUND', message: 'Không tìm thấy nhân vật', report: true },
      ])
    }
    expect(await balanceOf(portal.db, player.walletId)).toBe(50_000)
  })

  test.each([10_001, 1, 0, -10_000, 10_000.5, '10000', null, [10_000], 2 ** 53, 1e300])(
    'an amount that is not on offer is refused on its field: %j',
    async (amount) => {
      const { player, character } = await aTrader(50_000)
      const answer = await portal.call('POST', '/api/exchange/store', {
        token: player.token,
        body: { character_id: character, amount },
      })
      expect(answer).toMatchObject({ status: 422, body: { code: 'VALIDATION' } })
      const { errors } = answer.body as { errors: Record<string, string[]> }
      expect(Object.keys(errors)).toEqual(['amount'])
      expect(errors.amount).not.toEqual([])
      expect(await balanceOf(portal.db, player.walletId)).toBe(50_000)
    },
  )

  test('an amount that would buy nothing cannot be bought', async () => {
    const { player, character } = await aTrader(50_000)
    await changeSetting('exchange_amounts', '[3,10000]')
    const { body } = await portal.call('GET', '/api/exchange')
    expect((body as { amounts: unknown }).amounts).toEqual([{ amount: 10_000, receive: 3_300 }])
    const refused = await exchange(portal, { player, character, amount: 3 })
    await changeSetting('exchange_amounts', '[10000,20000,50000,100000,200000,500000]')
    expect(refused).toMatchObject({ status: 422, body: { code: 'VALIDATION' } })
  })

  test('an account that is not activated is refused', async () => {
    const player = await aPlayer(portal, { coins: 50_000 })
    const [character] = await charactersOf(portal, player)
    expect(await exchange(portal, { player, character: character! })).toMatchObject({
      status: 422,
      body: { code: 'NOT_ACTIVATED' },
    })
  })

  test('a banned player is refused while the ban runs', async () => {
    const { player, character } = await aTrader(50_000)
    const ban = (until: Date) =>
      inTransaction(portal.db, (tx) =>
        banPlayer(tx, {
          userId: player.id,
          until,
          reason: 'Dùng công cụ tự động',
          actor: { kind: 'system' },
        }),
      )
    await ban(new Date(Date.now() + 60_000))
    expect(await exchange(portal, { player, character })).toMatchObject({
      status: 422,
      body: { code: 'BANNED' },
    })
    await ban(new Date(Date.now() - 1_000))
    expect((await exchange(portal, { player, character })).status).toBe(200)
  })

  test('needs a session', async () => {
    const answer = await portal.call('POST', '/api/exchange/store', {
      body: { character_id: '1', amount: 10_000 },
    })
    expect(answer.status).toBe(401)
  })

  test('goods go to the server the character is on, and the account is known by its name in lower case', async () => {
    const username = `NinjaHoa${Date.now() % 100_000_000}`
    const player = await aPlayer(portal, { coins: 10_000, isActivated: true, username, serverId: '2' })
    const [character] = await charactersOf(portal, player)
    const id = await buyLuongFor(portal, { player, character: character! })
    const row = await portal.db
      .selectFrom('delivery')
      .select(['server_id', 'account', 'character_id', sql<string>`goods::text`.as('goods')])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ server_id: '2', account: username.toLowerCase(), character_id: character })
    expect(JSON.parse(row.goods)).toEqual([{ kind: 'luong', quantity: 3_300 }])
  })
})
