import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { anOrder, balanceOf, orderNow, payment } from '#tests/support/bank.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { findTrader } from '#server/modules/traders/index.ts'
import { anEmail, giveVerifiedEmail, lettersTo } from '#tests/support/mail.ts'
import { aPlayer, creditPlayer, type TestPlayer } from '#tests/support/players.ts'
import { charactersOf } from '#tests/support/purchases.ts'
import { endOf, useCashDesk, REASON } from '#tests/support/cash-desk.ts'
import { lastTrailRow } from '#tests/support/trail-rows.ts'

const desk = useCashDesk()
let friend: TestPlayer

beforeAll(async () => {
  friend = await aPlayer(desk.portal, { isActivated: true })
})
afterEach(() => expectReconciled(desk.portal))

const debtOf = async ({ id }: TestPlayer) => (await findTrader(desk.portal.db, id))?.debt
const byOwner = () => ({ by: desk.owner })
const outgoing = (change = {}) => desk.arrives({ transferType: 'out', content: 'HOAN TIEN', ...change })
const spend = async (player: TestPlayer, amount: number) => {
  const answer = await desk.portal.call('POST', '/api/user/transfer', {
    token: player.token,
    body: { payee: friend.username, amount },
  })
  return answer
}

/** A player whose order of 50,000 was paid and who has given so much of it away. */
async function aPaidOrder(spent = 0) {
  const player = await aPlayer(desk.portal, { isActivated: true })
  const order = await anOrder(desk.portal, player)
  const original = await desk.arrives({ content: order.code })
  if (spent > 0) invariant((await spend(player, spent)).status === 200, 'they give it away')
  return { player, order, original }
}

/** The same, after the bank took the money back. */
async function aReversal(spent: number) {
  const paid = await aPaidOrder(spent)
  const id = await outgoing()
  const answer = await desk.done(id, 'link-reversal', { original_id: paid.original })
  return { ...paid, id, answer }
}

describe('a reversal by the bank', () => {
  test('takes back what the wallet holds; transfer, order and link show it', async () => {
    const { player, order, original, id, answer } = await aReversal(0)
    expect(answer).toMatchObject({ status: 'done', state: 'ignored', reason: 'bank-reversal', lent: 0 })
    expect([await balanceOf(desk.portal, player), await debtOf(player)]).toEqual([0, 0])
    expect(endOf(await desk.transfer(original))).toMatchObject({
      state: 'refunded',
      reason: 'reversed-by-bank',
      credited: 0,
    })
    expect((await desk.transfer(id)).reversal_of).toBe(original)
    expect(await orderNow(desk.portal, player, order.code)).toMatchObject({
      status: 'cancelled',
      credited: 0,
    })
    const statement = await desk.portal.call('GET', '/api/user/transactions', { token: player.token })
    const [taken, given] = statement.body.data
    expect(taken).toMatchObject({
      type: 'adjustment',
      amount: -50_000,
      balance_after: 0,
      description: `Hủy giao dịch số ${given.id}`,
    })
  })

  test('of coins that were spent leaves a debt, and the wallet at zero', async () => {
    const { player, answer } = await aReversal(30_000)
    expect(answer.lent).toBe(30_000)
    expect([await balanceOf(desk.portal, player), await debtOf(player)]).toEqual([0, 30_000])
    const statement = await desk.portal.call('GET', '/api/user/transactions', { token: player.token })
    expect(statement.body.data.slice(0, 2)).toMatchObject([
      { amount: -50_000, balance_after: 0 },
      { amount: 30_000, description: 'Ghi nợ phần TCoin đã dùng của khoản nạp bị thu hồi' },
    ])
  })

  test('is mailed to a verified address, with what is owed', async () => {
    const { player, original } = await aPaidOrder(30_000)
    const email = anEmail()
    await giveVerifiedEmail(desk.portal, player.id, email)
    await desk.done(await outgoing(), 'link-reversal', { original_id: original })
    const [mail, ...more] = await lettersTo(desk.portal, email)
    expect(more).toEqual([])
    expect(mail).toMatchObject({
      kind: 'recharge-taken-back',
      subject: 'Một khoản nạp 50,000 TCoin đã bị thu hồi',
    })
    expect(mail?.paragraphs.join(' ')).toContain('bạn còn nợ 30,000 TCoin')
  })

  test('of money that nobody was given, or that we sent back ourselves, is only linked', async () => {
    const unmatched = await desk.arrives()
    await desk.done(await outgoing(), 'link-reversal', { original_id: unmatched })
    expect(endOf(await desk.transfer(unmatched))).toMatchObject({
      state: 'refunded',
      reason: 'reversed-by-bank',
    })
    const refunded = await desk.arrives()
    await desk.done(refunded, 'refund', { outgoing_reference: 'FT7', refunded_on: '2026-01-01' })
    await desk.done(await outgoing(), 'link-reversal', { original_id: refunded })
    expect(endOf(await desk.transfer(refunded))).toMatchObject({ reason: 'refunded-by-hand' })
  })

  test('is linked once each way, to its own account and amount', async () => {
    const { original, id } = await aReversal(0)
    const fieldsOf = async (outgoingId: string, originalId: string) => {
      const { status, body } = await desk.act(outgoingId, 'link-reversal', { original_id: originalId })
      return [status, Object.keys(body.errors ?? {})]
    }
    expect(await fieldsOf(id, await desk.arrives())).toEqual([409, []])
    expect(await fieldsOf(await outgoing(), original)).toEqual([422, ['original_id']])
    expect(await fieldsOf(await outgoing({ transferAmount: 1 }), await desk.arrives())).toEqual([
      422,
      ['original_id'],
    ])
    expect(await fieldsOf(await outgoing({ accountNumber: '123456789' }), await desk.arrives())).toEqual([
      422,
      ['original_id'],
    ])
    expect(await fieldsOf(await outgoing(), '99999999')).toEqual([422, ['original_id']])
    expect(await fieldsOf(await desk.arrives(), original)).toEqual([409, []])
  })

  test('linked by many at once takes the coins once', async () => {
    const { player, original } = await aPaidOrder(20_000)
    const ids = [await outgoing(), await outgoing()]
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        desk.act(ids[n % 2] as string, 'link-reversal', { original_id: original }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect([await balanceOf(desk.portal, player), await debtOf(player)]).toEqual([0, 20_000])
  })
})

describe('a reversal while the player spends', () => {
  test('takes what is left at its turn: what was spent is owed, and nothing is spent after it', async () => {
    const { player, original } = await aPaidOrder()
    const id = await outgoing()
    const [linked, ...trades] = await Promise.all([
      desk.done(id, 'link-reversal', { original_id: original }),
      ...Array.from({ length: 8 }, () => spend(player, 5_000)),
    ])
    const spent = trades.filter(({ status }) => status === 200).length * 5_000
    expect(linked.lent).toBe(spent)
    expect([await balanceOf(desk.portal, player), await debtOf(player)]).toEqual([0, spent])
  })
})

describe('whoever owes', () => {
  const sentence =
    'Tài khoản đang tạm khóa giao dịch vì còn nợ 30,000 TCoin của khoản nạp đã bị thu hồi, vui lòng nạp thêm để trả nợ'

  test('can neither transfer, exchange nor take a gift, and reads how much is owed', async () => {
    const { player } = await aReversal(30_000)
    const [character] = await charactersOf(desk.portal, player)
    for (const [path, body] of [
      ['transfer', { payee: friend.username, amount: 1 }],
      ['buy-package', { character_id: character, package_id: 9_999 }],
    ] as const) {
      const refused = await desk.portal.call('POST', `/api/user/${path}`, { token: player.token, body })
      expect([refused.status, refused.body.code, refused.body.message]).toEqual([422, 'BANNED', sentence])
    }
    const exchange = await desk.portal.call('POST', '/api/exchange/store', {
      token: player.token,
      body: { character_id: character, amount: 10_000 },
    })
    expect(exchange.body.message).toBe(sentence)
  })

  test('pays by the next recharge in its own transaction, and then trades again', async () => {
    const { player } = await aReversal(30_000)
    const order = await anOrder(desk.portal, player, { amount: 20_000 })
    await desk.arrives({ content: order.code, transferAmount: 20_000 })
    expect([await balanceOf(desk.portal, player), await debtOf(player)]).toEqual([0, 10_000])
    expect((await spend(player, 1)).status).toBe(422)
    const id = await desk.arrives()
    await desk.done(id, 'credit', { user_id: player.id })
    expect([await balanceOf(desk.portal, player), await debtOf(player)]).toEqual([40_000, 0])
    expect((await spend(player, 1)).status).toBe(200)
    const statement = await desk.portal.call('GET', '/api/user/transactions', { token: player.token })
    expect(statement.body.data[1]).toMatchObject({
      amount: -10_000,
      description: 'Trả nợ TCoin của khoản nạp bị thu hồi',
    })
  })

  test('pays by what another player sends', async () => {
    const { player } = await aReversal(30_000)
    const rich = await aPlayer(desk.portal, { isActivated: true, coins: 50_000 })
    const answer = await desk.portal.call('POST', '/api/user/transfer', {
      token: rich.token,
      body: { payee: player.username, amount: 45_000 },
    })
    expect(answer.status).toBe(200)
    expect([await balanceOf(desk.portal, player), await debtOf(player)]).toEqual([15_000, 0])
  })
})

describe('an operator settles a debt', () => {
  const settle = (userId: string) =>
    desk.portal.call('POST', `/api/operator/users/${userId}/settle-debt`, {
      token: desk.cashier.token,
      body: { reason: REASON },
    })

  test('from what the wallet holds, with a row in the trail; where there is nothing to take it is refused', async () => {
    const { player } = await aReversal(30_000)
    expect((await settle(player.id)).status).toBe(409)
    await creditPlayer(desk.portal, player, 12_000)
    const answer = await settle(player.id)
    expect([answer.status, answer.body]).toEqual([200, { paid: 12_000, owed: 18_000 }])
    expect([await balanceOf(desk.portal, player), await debtOf(player)]).toEqual([0, 18_000])
    const row = await lastTrailRow(desk.portal, { action: 'users.settle-debt', id: player.id })
    expect(row).toMatchObject({ actor_id: desk.cashier.id, reason: REASON })
    expect((await settle('99999999')).status).toBe(404)
  })
})

describe('a wrong credit', () => {
  test('is undone by its mirror; the transfer is open again and can go to the right player', async () => {
    const [wrong, right] = [await aPlayer(desk.portal), await aPlayer(desk.portal)]
    const id = await desk.arrives()
    await desk.done(id, 'credit', { user_id: wrong.id })
    expect(endOf(await desk.done(id, 'reverse-credit', {}, byOwner()))).toMatchObject({
      state: 'review',
      reason: 'credit-undone',
      credited: 0,
    })
    expect(await balanceOf(desk.portal, wrong)).toBe(0)
    await desk.done(id, 'credit', { user_id: right.id })
    expect(await balanceOf(desk.portal, right)).toBe(50_000)
    // And once more, to the same player: each credit is an operation of its own to the ledger.
    await desk.done(id, 'reverse-credit', {}, byOwner())
    await desk.done(id, 'credit', { user_id: right.id })
    expect([await balanceOf(desk.portal, wrong), await balanceOf(desk.portal, right)]).toEqual([0, 50_000])
    expect((await desk.transfer(id)).acts.map(({ act }) => act)).toEqual([
      'credit',
      'reverse-credit',
      'credit',
      'reverse-credit',
      'credit',
    ])
  })

  test('of an order puts the order in review again', async () => {
    const { player, order } = await payment(desk.portal)
    const id = await desk.arrives()
    await desk.done(id, 'match', { order_code: order.code })
    await desk.done(id, 'reverse-credit', {}, byOwner())
    expect(await orderNow(desk.portal, player, order.code)).toMatchObject({ status: 'review', credited: 0 })
    await desk.done(id, 'match', { order_code: order.code })
    expect(await orderNow(desk.portal, player, order.code)).toMatchObject({ status: 'paid' })
  })

  test('is undone once, and only where there is one', async () => {
    const player = await aPlayer(desk.portal)
    const id = await desk.arrives()
    expect((await desk.act(id, 'reverse-credit', {}, byOwner())).status).toBe(409)
    await desk.done(id, 'credit', { user_id: player.id })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => desk.act(id, 'reverse-credit', {}, byOwner())),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(409)])
    expect([await balanceOf(desk.portal, player), await debtOf(player)]).toEqual([0, 0])
  })
})
