import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OperatorProposal } from '#contract/operator/proposals.ts'
import type { CheckoutClient } from '#server/modules/payment-providers/index.ts'
import { dayOf, lookAtDay } from '#server/modules/reconciliation/index.ts'
import type { FakeProviders } from '#tests/fakes/provider-server.ts'
import type { TestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { aTransfer, balanceOf, forgetLimited } from '#tests/support/bank.ts'
import { useMomoDesk, REFUND_REASON, REFUND_REASON as reason } from '#tests/support/momo-desk.ts'
import { operatorsCall, type TestOperator } from '#tests/support/operators.ts'
import { PAYMENT_ENVIRONMENT, paymentsWith } from '#tests/support/payment-keys.ts'
import { type TestPlayer, aPlayer } from '#tests/support/players.ts'
import { trailRows } from '#tests/support/trail-rows.ts'
import { approveProposal } from '../operator/proposals.service.ts'
import { queryDueRefunds, refundAtGateway } from './gateway-refunds.service.ts'

const desk = useMomoDesk()
let portal: TestApp
let bank: FakeProviders
let cashier: TestOperator
let second: TestOperator
let owner: TestOperator
let player: TestPlayer

beforeAll(async () => {
  ;({ portal, bank, cashier, second, owner, player } = desk)
})

afterEach(() => expectReconciled(portal))

const storedRefunds = (id: string) =>
  portal.db
    .selectFrom('gateway_refund')
    .selectAll()
    .where('bank_transaction_id', '=', id)
    .orderBy('id')
    .execute()

const path = (call: string) => call.split('/api/').at(-1)

describe('a refund at MoMo', () => {
  test('sends everything back, and the transfer is done with', async () => {
    const id = await desk.money()
    const answer = await desk.refund(id)
    expect([answer.status, answer.body]).toMatchObject([
      200,
      {
        status: 'done',
        state: 'refunded',
        reason: 'refunded-at-momo',
        refund: { amount: 50_000, state: 'done', asked_by: { id: cashier.id }, reason: REFUND_REASON },
      },
    ])
    expect(await desk.sentBack(id)).toEqual([50_000])
    const { acts, events, refunds, reason_text } = await desk.transfer(id)
    expect(acts).toMatchObject([{ act: 'refund-at-gateway', details: { amount: 50_000 } }])
    expect(events).toMatchObject([{ status: 'ignored', reason: 'refunded-at-momo' }])
    expect([refunds.length, reason_text]).toEqual([1, 'Đã hoàn qua MoMo'])
    expect(await trailRows(portal, { subject: { type: 'bank_transaction', id } })).toMatchObject([
      { action: 'bank-transfers.refund-at-gateway', actor_kind: 'operator' },
      { action: 'bank-transfers.refund-at-gateway-done', actor_kind: 'system' },
    ])
    expect((await desk.refund(id)).status).toBe(409)
    const { order_code, bank_ref } = await desk.transfer(id)
    const log = portal.logged().split('\n')
    const [wished, done] = log.filter((line) => line.includes(`${order_code}`)).slice(-2)
    const facts = `"orderCode":"${order_code}","provider":"momo","bankRef":"${bank_ref}","bankTransactionId":"${id}"`
    expect(wished).toContain(`"event":"payment.refund-asked",${facts}`)
    expect(done).toContain(`"event":"payment.refunded",${facts}`)
    const closes = await lookAtDay(portal.deps, dayOf(new Date()))
    expect(closes.flatMap(({ differences }) => differences)).toEqual([])
    expect(closes.map(({ figures }) => figures.refunded_vnd)).toContain(50_000)
  })

  test('of a part leaves the rest in review, which can go back as well but never be credited', async () => {
    const id = await desk.money()
    expect((await desk.refund(id, 20_000)).body).toMatchObject({ status: 'done', state: 'review' })
    expect((await desk.act(id, 'credit', { user_id: player.id })).status).toBe(409)
    const tooMuch = await desk.refund(id, 30_001)
    expect([tooMuch.status, tooMuch.body.errors]).toMatchObject([
      422,
      { amount: [expect.stringContaining('30,000 VND')] },
    ])
    expect((await desk.refund(id)).body).toMatchObject({
      status: 'done',
      state: 'refunded',
      refund: { amount: 30_000 },
    })
    expect(await desk.sentBack(id)).toEqual([20_000, 30_000])
    expect((await desk.transfer(id)).refunds.map(({ amount }) => amount)).toEqual([30_000, 20_000])
    expect(await balanceOf(portal, player)).toBe(0)
  })

  test('that MoMo refuses changes nothing, and a new one may be requested', async () => {
    const id = await desk.money()
    bank.momo.refuseRefund(1080)
    const refused = await desk.refund(id, null, { key: 'refused' })
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('mã 1080')])
    expect(await storedRefunds(id)).toMatchObject([{ state: 'failed', result_code: 1080 }])
    expect((await desk.transfer(id)).state).toBe('review')
    expect((await desk.refund(id, null, { key: 'refused' })).status).toBe(409)
    expect(await desk.sentBack(id)).toEqual([])
    expect((await desk.refund(id)).body.status).toBe('done')
  })

  test('is committed before MoMo is called', async () => {
    const id = await desk.money()
    const stored: unknown[] = []
    bank.onCall = async () => {
      stored.push(...(await storedRefunds(id)).map(({ state, refund_order }) => ({ state, refund_order })))
    }
    await desk.refund(id)
    bank.onCall = null
    expect(stored).toEqual([{ state: 'asked', refund_order: expect.any(String) }])
    expect(bank.momo.refunds.has((stored[0] as { refund_order: string }).refund_order)).toBe(true)
  })
})

describe('a refund whose answer is lost', () => {
  test('makes everything else wait, is queried and never requested again', async () => {
    const id = await desk.money()
    bank.failNext('lost-after')
    bank.calls.length = 0
    const answer = await desk.refund(id, null, { key: 'lost' })
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { status: 'waiting', state: 'review', proposal: null, refund: { state: 'asked' } },
    ])
    expect((await desk.refund(id, null, { key: 'lost' })).body.status).toBe('waiting')
    for (const [act, body] of [
      ['refund-at-gateway', {}],
      ['credit', { user_id: player.id }],
      ['ignore', {}],
      ['refund', { outgoing_reference: 'FT1', refunded_on: '2026-01-01' }],
    ] as const) {
      const refused = await desk.act(id, act, body, { by: second })
      expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('MoMo')])
    }
    await queryDueRefunds(portal.deps)
    expect(bank.calls.map(path)).toEqual(['refund'])
    await desk.later(id, 1)
    expect(bank.calls.map(path)).toEqual(['refund', 'refund/query'])
    expect(await desk.transfer(id)).toMatchObject({ state: 'refunded', refunds: [{ state: 'done' }] })
    expect(await desk.sentBack(id)).toEqual([50_000])
    expect((await desk.refund(id, null, { key: 'lost' })).body).toMatchObject({
      status: 'done',
      state: 'refunded',
    })
  })

  test('and that never reached MoMo ends, though not by the first “no such refund”', async () => {
    const id = await desk.money()
    bank.failNext('error')
    expect((await desk.refund(id)).body.status).toBe('waiting')
    await desk.later(id, 1)
    expect(await storedRefunds(id)).toMatchObject([{ state: 'asked', queries: 1 }])
    await desk.later(id, 2)
    expect(await storedRefunds(id)).toMatchObject([{ state: 'failed', queries: 2, next_query_at: null }])
    expect((await desk.transfer(id)).state).toBe('review')
    expect((await desk.refund(id)).body.status).toBe('done')
    expect(await desk.sentBack(id)).toEqual([50_000])
  })

  test('and that MoMo still works on is queried until it is decided', async () => {
    const id = await desk.money()
    bank.failNext('lost-after')
    await desk.refund(id)
    const [refund] = await storedRefunds(id)
    const made = bank.momo.refunds.get(refund?.refund_order ?? '')
    Object.assign(made ?? {}, { resultCode: 7002 })
    await desk.later(id, 60 * 30)
    const [open] = await storedRefunds(id)
    expect(open).toMatchObject({ state: 'asked', queries: 1 })
    expect(open?.next_query_at?.getTime()).toBeGreaterThan(Date.now())
    Object.assign(made ?? {}, { resultCode: 1081 })
    await desk.later(id, 60)
    expect(await storedRefunds(id)).toMatchObject([{ state: 'failed', result_code: 1081 }])
  })
})

/** Requested from a portal that has this MoMo, or none. */
function directly(id: string, checkouts: CheckoutClient[]) {
  const payments = { ...portal.deps.payments, checkouts }
  const operator = { id: cashier.id, permissions: [], requestId: 'test' }
  const call = operatorsCall(id, REFUND_REASON, cashier.id)
  return refundAtGateway({ ...portal.deps, payments }, { id, body: call.body, operator, call })
}

describe('at once', () => {
  test('two operators refund once', async () => {
    const id = await desk.money()
    const answers = await Promise.all([cashier, second, owner].map((by) => desk.refund(id, 30_000, { by })))
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
    expect(await desk.sentBack(id)).toEqual([30_000])
  })

  test('the same key refunds once, and both get the same answer', async () => {
    const id = await desk.money()
    const answers = await Promise.all([1, 2].map(() => desk.refund(id, null, { key: 'twice' })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await desk.refund(id, null, { key: 'twice' })).body).toMatchObject({
      status: 'done',
      state: 'refunded',
    })
    expect(await desk.sentBack(id)).toEqual([50_000])
    expect((await desk.refund(id, 10_000, { key: 'twice' })).body.code).toBe('KEY_REUSED')
  })

  test('the database itself holds a second question back', async () => {
    const id = await desk.money()
    bank.failNext('lost-after')
    await desk.refund(id, 10_000)
    await expect(
      asOwner(
        portal,
        `INSERT INTO gateway_refund (bank_transaction_id, refund_order, amount, asked_by, reason, next_query_at)
          VALUES ($1, 'HT12345678', 10000, $2, 'Thử', now())`,
        [id, cashier.id],
      ),
    ).rejects.toThrow('gateway_refund_one_asked')
    await desk.later(id, 1)
  })
})

describe('is refused', () => {
  test('for money that did not come by MoMo, or is credited, or is our own', async () => {
    // Not even when the bank's own reference looks like a number of MoMo's.
    const other = await desk.refund(await aTransfer(portal, { referenceCode: '4000000000' }))
    expect([other.status, other.body.code]).toEqual([422, 'VALIDATION'])
    expect((await desk.refund(await aTransfer(portal))).status).toBe(422)
    const credited = await desk.money({ isOpen: true })
    expect((await desk.refund(credited)).status).toBe(409)
    await desk.act(credited, 'reverse-credit', {}, { by: owner })
    expect((await desk.refund(credited)).body).toMatchObject({ status: 'done', state: 'refunded' })
    const ignored = await desk.money()
    await desk.act(ignored, 'ignore')
    expect((await desk.refund(ignored)).status).toBe(409)
  })

  test('where nothing reaches MoMo, for good at once', async () => {
    const [id] = await Promise.all([desk.money(), asOwner(portal, 'DELETE FROM limited_act')])
    const nowhere = paymentsWith({ ...PAYMENT_ENVIRONMENT, MOMO_BASE_URL: 'http://127.0.0.1:1' })
    await expect(directly(id, nowhere.checkouts)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await storedRefunds(id)).toMatchObject([{ state: 'failed', result_code: null }])
    expect((await desk.transfer(id)).state).toBe('review')
  })

  test('where MoMo is not set up, and nothing is noted', async () => {
    const id = await desk.money()
    await expect(directly(id, [])).rejects.toMatchObject({ code: 'DISABLED' })
    expect(await storedRefunds(id)).toEqual([])
  })
})

const LIMIT = 1_000_000

beforeEach(() => forgetLimited(portal))

const decide = (
  id: string,
  name: 'approve' | 'reject' | 'withdraw',
  how: { by: TestOperator; key?: string },
) => desk.act(id, name, {}, how)

/** A refund that waits, of so much money. */
async function proposed(amount = LIMIT + 1_000): Promise<string> {
  const id = await desk.money({ amount })
  expect((await desk.refund(id)).status).toBe(202)
  return id
}

describe('a refund at MoMo above the limit', () => {
  test('waits for a second person, and it is requested from MoMo after the approval', async () => {
    const id = await desk.money({ amount: LIMIT + 1_000 })
    bank.calls.length = 0
    expect(await desk.refund(id, null, { by: owner })).toMatchObject({
      status: 202,
      body: {
        status: 'waiting',
        state: 'review',
        proposal: { act: 'refund-at-gateway', amount: LIMIT + 1_000, proposed_by: { id: owner.id }, reason },
      },
    })
    expect(bank.calls).toEqual([])
    expect(await desk.transfer(id)).toMatchObject({
      refunds: [],
      acts: [{ act: 'propose', details: { proposed: 'refund-at-gateway', amount: LIMIT + 1_000 } }],
    })
    expect((await decide(id, 'approve', { by: owner })).status).toBe(409)
    expect(await decide(id, 'approve', { by: second })).toMatchObject({
      status: 200,
      body: {
        status: 'done',
        state: 'refunded',
        proposal: null,
        refund: { amount: LIMIT + 1_000, state: 'done', asked_by: { id: owner.id }, reason },
      },
    })
    expect(await desk.sentBack(id)).toEqual([LIMIT + 1_000])
    expect((await desk.transfer(id)).acts).toMatchObject([{ act: 'propose' }, { act: 'approve' }])
  })

  test('whoever requests it: by parts of one transfer, by one operator, of one player’s money', async () => {
    const id = await desk.money({ amount: LIMIT + 1_000 })
    await asOwner(portal, "UPDATE limited_act SET at = at - interval '1 day'")
    expect((await desk.refund(id, LIMIT)).status).toBe(200)
    await forgetLimited(portal)
    expect((await desk.refund(id, 1_000, { by: second })).status).toBe(202)
    const [one, other, third] = [
      await desk.money({ amount: 600_000 }),
      await desk.money({ amount: 600_000 }, await aPlayer(portal)),
      await desk.money({ amount: 600_000 }),
    ]
    expect([
      (await desk.refund(one, null, { by: owner })).status,
      (await desk.refund(other, null, { by: owner })).status,
    ]).toEqual([200, 202])
    await decide(other, 'withdraw', { by: owner })
    expect((await desk.refund(other, null, { by: cashier })).status).toBe(200)
    expect((await desk.refund(third, null, { by: second })).status).toBe(202)
    await decide(third, 'withdraw', { by: second })
  })

  test('is not what is rejected or withdrawn: the transfer is open again, and nothing went back', async () => {
    for (const [name, by] of [
      ['reject', second],
      ['withdraw', cashier],
    ] as const) {
      const id = await proposed()
      expect((await desk.refund(id, null, { by: second })).status).toBe(409)
      expect((await desk.act(id, 'ignore', {}, { by: second })).status).toBe(409)
      expect((await decide(id, name, { by })).status).toBe(200)
      expect((await decide(id, 'approve', { by: second })).status).toBe(409)
      expect([await desk.sentBack(id), (await desk.transfer(id)).waiting]).toEqual([[], null])
    }
  })

  test('approved by several at once, also with one key, goes back once', async () => {
    const id = await proposed()
    const answers = await Promise.all([
      ...[1, 2].map(() => decide(id, 'approve', { by: second, key: 'agreed' })),
      ...[1, 2].map(() => decide(id, 'approve', { by: owner })),
    ])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([])
    expect(statuses).toContain(200)
    expect(await desk.sentBack(id)).toEqual([LIMIT + 1_000])
    expect(await desk.transfer(id)).toMatchObject({ state: 'refunded', refunds: [{ state: 'done' }] })
  })

  test('proposed by several at once, and with a repeated key, is one proposal', async () => {
    const id = await desk.money({ amount: LIMIT + 1_000 })
    const answers = await Promise.all([
      ...[1, 2].map(() => desk.refund(id, null, { key: 'proposed twice' })),
      ...[second, owner].map((by) => desk.refund(id, null, { by })),
    ])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status !== 202 && status !== 409)).toEqual([])
    expect((await desk.transfer(id)).acts).toHaveLength(1)
    expect(await desk.sentBack(id)).toEqual([])
  })

  test('whose answer is lost after the approval is queried, and never requested again', async () => {
    const id = await proposed()
    bank.failNext('lost-after')
    bank.calls.length = 0
    const approve = () => decide(id, 'approve', { by: second, key: 'lost' })
    expect(await approve()).toMatchObject({
      status: 200,
      body: { status: 'waiting', refund: { state: 'asked' } },
    })
    expect((await approve()).body.status).toBe('waiting')
    expect(bank.calls).toHaveLength(1)
    await desk.later(id, 1)
    expect((await approve()).body).toMatchObject({ status: 'done', state: 'refunded' })
    expect(await desk.sentBack(id)).toEqual([LIMIT + 1_000])
  })

  test('cannot be approved while MoMo is not set up, and waits on', async () => {
    const id = await proposed()
    const { deps } = portal
    const call = operatorsCall(id, reason, second.id)
    const operator = { id: second.id, permissions: [], requestId: 'test' }
    const closed = { ...deps, payments: { ...deps.payments, checkouts: [] } }
    await expect(approveProposal(closed, { id, body: call.body, operator, call })).rejects.toMatchObject({
      code: 'DISABLED',
    })
    expect((await desk.transfer(id)).waiting).toMatchObject({ act: 'refund-at-gateway' })
    expect((await decide(id, 'approve', { by: second })).body.state).toBe('refunded')
  })

  test('that MoMo refuses leaves the money in review, to be proposed again', async () => {
    const id = await proposed()
    bank.momo.refuseRefund(1080)
    const refused = await decide(id, 'approve', { by: second })
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('mã 1080')])
    expect((await desk.refund(id)).status).toBe(202)
    expect((await decide(id, 'approve', { by: second })).body.state).toBe('refunded')
  })

  test('stands in the list of all proposals with what would go back, and is decided there', async () => {
    const id = await proposed()
    const list = await portal.call('GET', '/api/operator/proposals?filter={"state":"waiting"}', {
      token: second.token,
    })
    const found = (list.body as OperatorProposal[]).find(({ subject }) => subject === id)
    expect(found).toMatchObject({ kind: 'bank-transfer', payload: { refund: LIMIT + 1_000 } })
    const path = `/api/operator/proposals/${found?.id}/approve`
    expect((await portal.call('POST', path, { token: cashier.token, body: { reason } })).status).toBe(409)
    expect((await portal.call('POST', path, { token: second.token, body: { reason } })).status).toBe(200)
    expect(await desk.sentBack(id)).toEqual([LIMIT + 1_000])
  })
})
