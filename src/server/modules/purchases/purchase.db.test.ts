import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { type TestAnswer, useTestApp } from '#tests/support/app.ts'
import { workOnce, eventually, exchange } from '#tests/support/purchases.ts'
import { anOperator } from '#tests/support/operators.ts'
import { balanceOf, expectReconciled } from '#tests/support/ledger.ts'
import { statementsOf } from '#tests/support/postgres.ts'
import { setSetting } from '#tests/support/settings.ts'
import { aBuyer, deliveryOf, giftOf, takeGift } from '#tests/support/gift-counter.ts'

const portal = useTestApp()
afterEach(() => expectReconciled(portal))

const setRate = (rate: number) => setSetting(portal, 'exchange_rate', String(rate))

/** What the exchange page shows for an amount. */
async function shownFor(amount: number): Promise<number> {
  const { body } = await portal.call('GET', '/api/exchange')
  return (body.amounts as { amount: number; receive: number }[]).find((one) => one.amount === amount)!.receive
}

describe('a price that changed after it was shown', () => {
  afterEach(() => setRate(30))

  test('an exchange is refused with the new offer; nothing moves, and the key still buys', async () => {
    const { player, character } = await aBuyer(portal, 50_000)
    const receive = await shownFor(10_000)
    expect(receive).toBe(3_300)
    await setRate(3)
    const key = 'giá đã đổi'
    const refused = await exchange(portal, { player, character, key, expectedReceive: receive })
    expect(refused).toMatchObject({
      status: 422,
      body: {
        code: 'PRICE_CHANGED',
        message: 'Giá vừa thay đổi, vui lòng xem lại trước khi mua',
        report: true,
        offer: { amount: 10_000, receive: 330 },
      },
    })
    expect(await balanceOf(portal.db, player.walletId)).toBe(50_000)
    const { body } = await portal.call('GET', '/api/user/deliveries', { token: player.token })
    expect(body.data).toEqual([])
    const bought = await exchange(portal, { player, character, key, expectedReceive: 330 })
    expect(bought).toMatchObject({ status: 200, body: { balance: 40_000 } })
    const verified = await portal.call('POST', '/api/auth/verify', { body: { access_token: player.token } })
    expect(verified.body).toMatchObject({ balance: 40_000, balance_version: bought.body.balance_version })
  })

  test('a better price has to be confirmed too', async () => {
    const { player, character } = await aBuyer(portal, 10_000)
    await setRate(60)
    const refused = await exchange(portal, { player, character, expectedReceive: 3_300 })
    expect(refused.body).toMatchObject({ code: 'PRICE_CHANGED', offer: { amount: 10_000, receive: 6_600 } })
    expect(await balanceOf(portal.db, player.walletId)).toBe(10_000)
  })

  test('a client that expects nothing buys at the price of the moment', async () => {
    const { player, character } = await aBuyer(portal, 10_000)
    await setRate(3)
    expect((await exchange(portal, { player, character })).body.message).toContain('lấy 330 lượng')
  })

  test('a gift at another price than expected is refused with its price, and stays to be had', async () => {
    const { player, character } = await aBuyer(portal, 50_000)
    const refused = await takeGift(portal, { player, character, expectedPrice: 8_888 })
    expect(refused).toMatchObject({
      status: 422,
      body: { code: 'PRICE_CHANGED', offer: { package_id: 9_999, amount: 9_999 } },
    })
    expect([await giftOf(portal, player), await balanceOf(portal.db, player.walletId)]).toEqual([
      null,
      50_000,
    ])
    expect((await takeGift(portal, { player, character, expectedPrice: 9_999 })).status).toBe(200)
  })

  test.each([0, -1, 3_300.5, '3300', null, 2 ** 53])('%j is no expectation', async (expected) => {
    const { player, character } = await aBuyer(portal, 50_000)
    const answer = await exchange(portal, { player, character, expectedReceive: expected })
    expect(answer).toMatchObject({ status: 422, body: { code: 'VALIDATION' } })
    expect(Object.keys(answer.body.errors)).toEqual(['expected_receive'])
    const gift = await takeGift(portal, { player, character, expectedPrice: expected })
    expect(Object.keys(gift.body.errors)).toEqual(['expected_price'])
  })

  test('while it changes, everybody gets what they expected or gets the price of now', async () => {
    const rates = [30, 3, 60]
    const receives = rates.map((rate) => Math.floor((10_000 * rate * 110) / 10_000))
    const buyers = await Promise.all(Array.from({ length: 4 }, () => aBuyer(portal, 60_000)))
    const over = new AbortController()
    const changing = (async () => {
      for (let turn = 0; !over.signal.aborted; turn++) {
        await setRate(rates[turn % rates.length]!)
        await sleep(3)
      }
    })()
    const answersOf = async ({ player, character }: (typeof buyers)[number]) => {
      const answers: { expected: number; answer: TestAnswer }[] = []
      for (let turn = 0; turn < 6; turn++) {
        const expected = receives[turn % receives.length]!
        answers.push({
          expected,
          answer: await exchange(portal, { player, character, expectedReceive: expected }),
        })
      }
      return answers
    }
    const all = await Promise.all(buyers.map(answersOf))
    over.abort()
    await changing
    const refused = all.flat().filter(({ answer }) => answer.status !== 200)
    expect([refused.length > 0, refused.length < all.flat().length]).toEqual([true, true])
    for (const { expected, answer } of refused) {
      expect(answer.body.code).toBe('PRICE_CHANGED')
      expect(receives).toContain(answer.body.offer.receive)
      expect(answer.body.offer.receive).not.toBe(expected)
    }
    for (const [index, { player }] of buyers.entries()) {
      const bought = all[index]!.filter(({ answer }) => answer.status === 200)
      const { body } = await portal.call('GET', '/api/user/deliveries', { token: player.token })
      const promised = (body.data as { goods: { quantity: number }[] }[]).map(
        ({ goods }) => goods[0]!.quantity,
      )
      expect(promised.toReversed()).toEqual(bought.map(({ expected }) => expected))
      expect(await balanceOf(portal.db, player.walletId)).toBe(60_000 - bought.length * 10_000)
    }
  })
})

describe('what is missing is required in the words of the specification', () => {
  const sentence = 'Vui lòng chọn nhân vật và mệnh giá'

  test.each([
    ['no amount', { character_id: '1' }, 'amount'],
    ['null as amount', { character_id: '1', amount: null }, 'amount'],
    ['no character', { amount: 10_000 }, 'character_id'],
    ['an empty character', { character_id: '', amount: 10_000 }, 'character_id'],
    ['nothing at all', {}, 'amount'],
  ])('%s', async (_, body, field) => {
    const { player } = await aBuyer(portal, 10_000)
    const answer = await portal.call('POST', '/api/exchange/store', { token: player.token, body })
    expect(answer).toMatchObject({ status: 422, body: { code: 'VALIDATION', message: sentence } })
    expect(answer.body.errors[field]).toEqual([sentence])
  })

  test('an amount that is there and is no whole number is called that', async () => {
    const { player, character } = await aBuyer(portal, 10_000)
    for (const amount of ['10000', 10_000.5]) {
      const answer = await exchange(portal, { player, character, amount })
      expect(answer.body.errors).toEqual({ amount: ['Số tiền phải là số nguyên'] })
    }
  })
})

describe('a purchase in the log', () => {
  type Line = Record<string, unknown>

  const lines = (): Line[] =>
    portal
      .logged()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line)

  const about = (deliveryId: string) => lines().filter((line) => line.deliveryId === deliveryId)

  const transferOf = async (deliveryId: string, kind: string) => {
    const { id } = await portal.db
      .selectFrom('ledger_transfer')
      .select('id')
      .where('source_id', '=', deliveryId)
      .where('kind', '=', kind)
      .executeTakeFirstOrThrow()
    return id
  }

  test('one search by its delivery follows it from the request to the settlement', async () => {
    const { player, character } = await aBuyer(portal, 10_000)
    const bought = await exchange(portal, { player, character })
    const id = deliveryOf(bought)
    const requestId = bought.headers['x-request-id']
    await workOnce(portal.deps)
    const common = { deliveryId: id, userId: player.id, requestId }
    expect(about(id)).toMatchObject([
      {
        ...common,
        event: 'purchase.held',
        kind: 'exchange',
        amount: 10_000,
        transferId: await transferOf(id, 'exchange_hold'),
      },
      { ...common, event: 'delivery.sent', attempt: 1, answer: 'applied' },
      {
        ...common,
        event: 'delivery.settled',
        amount: 10_000,
        transferId: await transferOf(id, 'exchange_settle'),
      },
    ])
    await eventually(async () =>
      expect(lines()).toContainEqual(
        expect.objectContaining({ msg: 'request', requestId, route: '/api/exchange/store' }),
      ),
    )
  })

  test('a repeat under the same key holds nothing and is no event', async () => {
    const { player, character } = await aBuyer(portal, 20_000)
    const id = deliveryOf(await exchange(portal, { player, character, key: 'hai lần' }))
    const held = () => lines().filter(({ msg }) => msg === 'a purchase is held').length
    const before = held()
    expect((await exchange(portal, { player, character, key: 'hai lần' })).status).toBe(200)
    expect([about(id).length, held()]).toEqual([1, before])
  })

  test('a refund by the game’s refusal is one event with its transfer', async () => {
    const { player, character } = await aBuyer(portal, 10_000)
    await portal.db
      .updateTable('game.characters')
      .set({ account: 'nguoikhac' })
      .where('id', '=', character)
      .execute()
    const bought = await takeGift(portal, { player, character })
    const id = deliveryOf(bought)
    await workOnce(portal.deps)
    const common = { deliveryId: id, userId: player.id, requestId: bought.headers['x-request-id'] }
    expect(about(id)).toMatchObject([
      { ...common, event: 'purchase.held', kind: 'gift' },
      { ...common, event: 'delivery.sent', answer: 'refused', note: 'no-such-character' },
      {
        ...common,
        event: 'delivery.refunded',
        amount: 9_999,
        transferId: await transferOf(id, 'gift_refund'),
      },
    ])
  })

  test('what is queried, parked and refunded by an operator is followed as well', async () => {
    const { player, character } = await aBuyer(portal, 10_000)
    const bought = await exchange(portal, { player, character })
    const id = deliveryOf(bought)
    const silent = {
      ...portal.deps,
      game: {
        ...portal.deps.game,
        deliver: async () => ({ kind: 'unknown', cause: 'HTTP 500' }) as const,
        deliveryStatus: async () => 'unknown' as const,
      },
    }
    await workOnce(silent)
    await portal.db
      .updateTable('delivery')
      .set({ next_attempt_at: new Date(), attempt: 199 })
      .where('id', '=', id)
      .execute()
    await workOnce(silent)
    const operator = await anOperator(portal, 'cashier')
    const refund = await portal.call('POST', `/api/operator/deliveries/${id}/refund`, {
      token: operator.token,
      body: { reason: 'Game không trả lời' },
    })
    expect(refund.body).toMatchObject({ state: 'refunded' })
    const common = { deliveryId: id, userId: player.id, requestId: bought.headers['x-request-id'] }
    expect(about(id)).toMatchObject([
      { ...common, event: 'purchase.held' },
      { ...common, event: 'delivery.sent', answer: 'unknown', note: 'HTTP 500' },
      { ...common, event: 'delivery.asked', answer: 'not-applied' },
      { ...common, event: 'delivery.sent', answer: 'unknown', attempt: 200 },
      { ...common, event: 'delivery.parked', note: 'HTTP 500', level: 'error' },
      {
        ...common,
        event: 'delivery.refunded',
        amount: 10_000,
        transferId: await transferOf(id, 'exchange_refund'),
        operatorId: operator.id,
        operatorRequestId: refund.headers['x-request-id'],
      },
    ])
  })
})

describe('SQL statements', () => {
  /** Without the look at what is under maintenance, which a process takes once a second for all calls together. */
  const ownStatementsOf = async (act: () => Promise<unknown>) =>
    (await statementsOf(act)).filter((statement) => !statement.includes('maintenance'))

  test('an exchange takes at most 10, a gift at most 11, with BEGIN and COMMIT', async () => {
    const { player, character } = await aBuyer(portal, 50_000)
    const bought = await ownStatementsOf(() => exchange(portal, { player, character, key: 'đếm' }))
    expect(bought, bought.join('\n')).toEqual(expect.arrayContaining(['begin', 'commit']))
    expect(bought.length, bought.join('\n')).toBeLessThanOrEqual(10)
    const gift = await ownStatementsOf(() => takeGift(portal, { player, character, key: 'đếm' }))
    expect(gift.length, gift.join('\n')).toBeLessThanOrEqual(11)
  })
})
