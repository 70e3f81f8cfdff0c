import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { verifyAndStore } from '#server/modules/audit/index.ts'
import { ageOrder, anOrder, balanceOf, forgetLimited, orderNow, payment } from '#tests/support/bank.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { endOf, useCashDesk, REASON } from '#tests/support/cash-desk.ts'
import { aClaim } from '#tests/support/uploads.ts'
import { anEmail, giveVerifiedEmail, lettersTo } from '#tests/support/mail.ts'
import { anOperator } from '#tests/support/operators.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { setSetting } from '#tests/support/settings.ts'
import { trailRows } from '#tests/support/trail-rows.ts'

const desk = useCashDesk()
beforeEach(() => forgetLimited(desk.portal))
afterEach(() => expectReconciled(desk.portal))
const someone = () => aPlayer(desk.portal)

describe('a match', () => {
  test('credits what arrived to the order’s player, as an automatic credit would', async () => {
    const { player, order } = await payment(desk.portal)
    const email = anEmail()
    await giveVerifiedEmail(desk.portal, player.id, email)
    const id = await desk.arrives({ content: 'quen ghi noi dung' })
    const answer = await desk.done(id, 'match', { order_code: order.code.toLowerCase() })
    expect(answer).toMatchObject({
      status: 'done',
      state: 'credited',
      reason: null,
      order_code: order.code,
      user: { id: player.id, username: player.username },
      credited: 50_000,
      lent: 0,
      proposal: null,
    })
    expect(await balanceOf(desk.portal, player)).toBe(50_000)
    expect(await orderNow(desk.portal, player, order.code)).toMatchObject({
      status: 'paid',
      credited: 50_000,
    })
    expect((await desk.transfer(id)).events).toMatchObject([{ status: 'applied', reason: null }])
    expect(await lettersTo(desk.portal, email)).toMatchObject([{ kind: 'recharge-credited' }])
  })

  test.each([
    [20_000, 'paid_under'],
    [70_000, 'paid_over'],
  ])('of %i VND to an order of 50,000 makes it %s', async (amount, status) => {
    const { player, order } = await payment(desk.portal)
    const id = await desk.arrives({ transferAmount: amount })
    await desk.done(id, 'match', { order_code: order.code })
    expect(await orderNow(desk.portal, player, order.code)).toMatchObject({ status, credited: amount })
  })

  test('gives the rate of the order, also when it is expired, cancelled or in review', async () => {
    await setSetting(desk.portal, 'recharge_rate', '2')
    const late = await payment(desk.portal)
    const cancelled = await payment(desk.portal)
    const inReview = await payment(desk.portal)
    await setSetting(desk.portal, 'recharge_rate', '1')
    await ageOrder(desk.portal, late.order.code, 100)
    await desk.portal.call('POST', `/api/recharge/orders/${cancelled.order.code}/cancel`, {
      token: cancelled.player.token,
    })
    await ageOrder(desk.portal, inReview.order.code, 100)
    const tooLate = await desk.arrives({ content: inReview.order.code })
    expect(endOf(await desk.transfer(tooLate))).toMatchObject({ state: 'review', reason: 'too-late' })
    const transfers = [await desk.arrives(), await desk.arrives(), tooLate]
    for (const [at, { player, order }] of [late, cancelled, inReview].entries()) {
      await desk.done(transfers[at] as string, 'match', { order_code: order.code })
      expect(await balanceOf(desk.portal, player)).toBe(100_000)
      expect((await orderNow(desk.portal, player, order.code)).status).toBe('paid')
    }
  })

  test('to an order that is credited already is refused by its field; as a new top-up it goes', async () => {
    const { player, order } = await payment(desk.portal)
    await desk.arrives({ content: order.code })
    const again = await desk.arrives({ content: order.code })
    expect(endOf(await desk.transfer(again))).toMatchObject({ reason: 'order-already-paid' })
    const refused = await desk.act(again, 'match', { order_code: order.code })
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['order_code']])
    const answer = await desk.done(again, 'credit', { username: player.username.toUpperCase() })
    expect(endOf(answer)).toEqual({ state: 'credited', reason: null, order_code: null, credited: 50_000 })
    expect(await balanceOf(desk.portal, player)).toBe(100_000)
    expect((await orderNow(desk.portal, player, order.code)).credited).toBe(50_000)
  })

  test('to another order than the one in the memo lets the first one go', async () => {
    const wrong = await payment(desk.portal)
    const right = await payment(desk.portal)
    await ageOrder(desk.portal, wrong.order.code, 100)
    const id = await desk.arrives({ content: wrong.order.code })
    expect((await orderNow(desk.portal, wrong.player, wrong.order.code)).status).toBe('review')
    await desk.done(id, 'match', { order_code: right.order.code })
    expect((await orderNow(desk.portal, wrong.player, wrong.order.code)).status).toBe('cancelled')
    expect(await balanceOf(desk.portal, wrong.player)).toBe(0)
  })
})

describe('a credit to a player', () => {
  test('is made at the rate of today, by name or by id', async () => {
    await setSetting(desk.portal, 'recharge_rate', '3')
    const [first, other] = [await someone(), await someone()]
    await desk.done(await desk.arrives(), 'credit', { username: first.username })
    await desk.done(await desk.arrives(), 'credit', { user_id: other.id })
    await setSetting(desk.portal, 'recharge_rate', '1')
    expect([await balanceOf(desk.portal, first), await balanceOf(desk.portal, other)]).toEqual([
      150_000, 150_000,
    ])
  })

  test('stands in the player’s statement and names its operator in the ledger', async () => {
    const player = await someone()
    await desk.done(await desk.arrives(), 'credit', { user_id: player.id })
    const statement = await desk.portal.call('GET', '/api/user/transactions', { token: player.token })
    expect(statement.body.data).toMatchObject([{ type: 'recharge', amount: 50_000 }])
    const row = await desk.portal.db
      .selectFrom('ledger_transfer')
      .select(['kind', 'actor_operator_id'])
      .where('id', '=', statement.body.data[0].id)
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ kind: 'recharge', actor_operator_id: desk.cashier.id })
  })
})

describe('what is not given to a player', () => {
  test('is refunded by hand, with the reference and the day of the transfer back', async () => {
    const id = await desk.arrives()
    const body = { outgoing_reference: 'FT99', refunded_on: '2026-01-31' }
    expect(endOf(await desk.done(id, 'refund', body))).toMatchObject({
      state: 'refunded',
      reason: 'refunded-by-hand',
    })
    const { acts, events } = await desk.transfer(id)
    expect(acts).toMatchObject([
      { act: 'refund', operator: { username: desk.cashier.username }, reason: REASON, details: body },
    ])
    expect(events).toMatchObject([{ status: 'ignored', reason: 'refunded-by-hand' }])
    expect((await desk.act(id, 'credit', { user_id: desk.second.id })).status).toBe(409)
  })

  test('is ignored, and may be credited after all when that was wrong', async () => {
    const id = await desk.arrives()
    expect(endOf(await desk.done(id, 'ignore', {}))).toMatchObject({ state: 'ignored' })
    expect((await desk.act(id, 'ignore', {})).status).toBe(409)
    const player = await someone()
    expect(endOf(await desk.done(id, 'credit', { user_id: player.id }))).toMatchObject({ state: 'credited' })
    expect((await desk.transfer(id)).acts.map(({ act }) => act)).toEqual(['ignore', 'credit'])
  })
})

describe('an act is refused', () => {
  test.each<[string, object, string]>([
    ['match', { order_code: 'TCX7K2QF9XAMM' }, 'order_code'],
    ['match', { order_code: '  ' }, 'order_code'],
    ['match', { order_code: 'TCX7K2QF9XAMM', reason: ' a ' }, 'reason'],
    ['match', { order_code: 'TCX\u0000' }, 'order_code'],
    ['credit', {}, 'username'],
    ['credit', { username: 'khongcoai' }, 'username'],
    ['credit', { user_id: '99999999' }, 'user_id'],
    ['credit', { username: 'khongcoai', user_id: '1' }, 'username'],
    ['refund', { outgoing_reference: 'FT1', refunded_on: '2026-02-30' }, 'refunded_on'],
    ['refund', { outgoing_reference: 'FT1', refunded_on: '2999-01-01' }, 'refunded_on'],
    ['refund', { refunded_on: '2026-01-01' }, 'outgoing_reference'],
    ['ignore', { reason: 'x'.repeat(501) }, 'reason'],
    ['ignore', { reason: null }, 'reason'],
  ])('%s %o for its field %s', async (act, body, field) => {
    const refused = await desk.act(await desk.arrives(), act, body)
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, [field]])
  })

  test('when there is no such transfer, and when the money went out', async () => {
    expect((await desk.act('99999999', 'ignore', {})).status).toBe(404)
    const outgoing = await desk.arrives({ transferType: 'out' })
    const player = await someone()
    expect((await desk.act(outgoing, 'credit', { user_id: player.id })).status).toBe(409)
    expect(await balanceOf(desk.portal, player)).toBe(0)
  })

  test('and leaves no line in the history or in the trail', async () => {
    const id = await desk.arrives()
    await desk.act(id, 'credit', { username: 'khongcoai' })
    expect((await desk.transfer(id)).acts).toEqual([])
    expect(await trailOf(id)).toEqual([])
  })
})

const trailOf = (id: string) => trailRows(desk.portal, { subject: { type: 'bank_transaction', id } })

describe('the trail', () => {
  test('has each act with its operator, reason, before and after, and nothing a payer wrote', async () => {
    const player = await someone()
    const id = await desk.arrives({ content: 'NGUYEN VAN A 0901234567 chuyen tien' })
    await desk.done(id, 'credit', { user_id: player.id })
    const rows = await trailOf(id)
    expect(rows).toMatchObject([
      {
        actor_kind: 'operator',
        actor_id: desk.cashier.id,
        action: 'bank-transfers.credit',
        reason: REASON,
        details: {
          before: { state: 'review', reason: 'no-code', credited: 0 },
          after: { state: 'credited', reason: null, credited: 50_000 },
          user_id: player.id,
          coins: 50_000,
        },
      },
    ])
    expect(JSON.stringify(rows)).not.toContain('NGUYEN VAN A')
    expect((await verifyAndStore(desk.portal.db)).faults).toEqual([])
  })
})

describe('the same key', () => {
  test('gets the first answer again, with one effect; another body is refused', async () => {
    const player = await someone()
    const other = await someone()
    const id = await desk.arrives()
    const key = randomUUID()
    const first = await desk.done(id, 'credit', { user_id: player.id }, { key })
    expect(await desk.done(id, 'credit', { user_id: player.id }, { key })).toEqual(first)
    expect(await balanceOf(desk.portal, player)).toBe(50_000)
    const reused = await desk.act(id, 'credit', { user_id: other.id }, { key })
    expect([reused.status, reused.body.code]).toEqual([422, 'KEY_REUSED'])
    const elsewhere = await desk.act(await desk.arrives(), 'credit', { user_id: player.id }, { key })
    expect(elsewhere.body.code).toBe('KEY_REUSED')
    expect((await desk.transfer(id)).acts).toHaveLength(1)
  })

  test('of another operator is another key', async () => {
    const player = await someone()
    const id = await desk.arrives()
    const key = randomUUID()
    await desk.done(id, 'credit', { user_id: player.id }, { key })
    const refused = await desk.act(id, 'credit', { user_id: player.id }, { key, by: desk.second })
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT'])
  })
})

describe('many operators at once', () => {
  test('on one transfer: 32 different acts, one effect, all others are refused', async () => {
    const player = await someone()
    const order = await anOrder(desk.portal, player)
    const id = await desk.arrives()
    const acts: [string, object][] = [
      ['match', { order_code: order.code }],
      ['credit', { user_id: player.id }],
      ['refund', { outgoing_reference: 'FT1', refunded_on: '2026-01-01' }],
      ['credit', { username: player.username }],
    ]
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, n) =>
        desk.act(id, ...(acts[n % 4] as [string, object]), {
          by: n % 2 === 0 ? desk.cashier : desk.second,
          key: randomUUID(),
        }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(31).fill(409)])
    const { acts: history, state } = await desk.transfer(id)
    expect(history).toHaveLength(1)
    expect(await balanceOf(desk.portal, player)).toBe(state === 'credited' ? 50_000 : 0)
  })

  test('on one order with money that came twice: one match, the other is refused', async () => {
    const { player, order } = await payment(desk.portal)
    const ids = [await desk.arrives(), await desk.arrives()]
    const answers = await Promise.all(ids.map((id) => desk.act(id, 'match', { order_code: order.code })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(await balanceOf(desk.portal, player)).toBe(50_000)
  })
})

describe('a claim beside a credit', () => {
  async function claimsOf({ token }: TestPlayer) {
    const answer = await desk.portal.call('GET', '/api/recharge/claims', { token })
    return (answer.body as { data: { status: string; message: string | null }[] }).data
  }

  test('a credit settles the claim it was made for, in the same act', async () => {
    const player = await aPlayer(desk.portal)
    const claim = await aClaim(desk.portal, player)
    const id = await desk.arrives()
    const answer = await desk.done(id, 'credit', { username: player.username, claim_id: claim })
    expect(answer).toMatchObject({ status: 'done', state: 'credited' })
    expect(await balanceOf(desk.portal, player)).toBe(50_000)
    expect(await claimsOf(player)).toMatchObject([
      { status: 'settled', message: expect.stringContaining('đã được cộng') as string },
    ])
  })

  test('a claim of somebody else, or one that never was, leaves the money where it is', async () => {
    const player = await aPlayer(desk.portal)
    const other = await aPlayer(desk.portal)
    const claim = await aClaim(desk.portal, other)
    const id = await desk.arrives()
    for (const claim_id of [claim, '999999999']) {
      const answer = await desk.act(id, 'credit', { username: player.username, claim_id })
      expect(answer.status).toBe(422)
    }
    expect(await balanceOf(desk.portal, player)).toBe(0)
    expect((await desk.transfer(id)).state).toBe('review')
    expect(await claimsOf(other)).toMatchObject([{ status: 'open' }])
  })

  test('a credit that waits for a second person leaves the claim open', async () => {
    const player = await aPlayer(desk.portal)
    const claim = await aClaim(desk.portal, player)
    const id = await desk.arrives({ transferAmount: 2_000_000 })
    const answer = await desk.done(id, 'credit', { username: player.username, claim_id: claim })
    expect(answer.status).toBe('waiting')
    expect(await claimsOf(player)).toMatchObject([{ status: 'open' }])
  })

  test('support answers claims, which moves no money; the credit stays with the cashiers', async () => {
    const { portal } = desk
    const support = await anOperator(portal, 'support')
    const player = await aPlayer(portal)
    const [rejected, settled] = [await aClaim(portal, player), await aClaim(portal, player)]
    const id = await desk.arrives()
    const send = (path: string, body: object) =>
      portal.call('POST', `/api/operator/${path}`, {
        token: support.token,
        body: { reason: 'Khớp biên lai', ...body },
      })
    const credit = await send(`bank-transfers/${id}/credit`, { username: player.username, claim_id: settled })
    expect(credit.status).toBe(403)
    await desk.done(id, 'credit', { username: player.username })
    const message = 'Đã cộng vào ví của bạn.'
    const answers = [
      await send(`recharge-claims/${settled}/answer`, {
        outcome: 'settled',
        bank_transaction_id: id,
        message,
      }),
      await send(`recharge-claims/${rejected}/answer`, { outcome: 'rejected', message: 'Chưa thấy.' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await claimsOf(player)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ status: 'settled', message }),
        expect.objectContaining({ status: 'rejected' }),
      ]),
    )
    expect(await balanceOf(portal, player)).toBe(50_000)
  })
})
