import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OperatorProposal } from '#contract/operator/proposals.ts'
import type { FakeProviders } from '#tests/fakes/provider-server.ts'
import type { TestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { forgetLimited } from '#tests/support/bank.ts'
import { operatorsCall, type TestOperator } from '#tests/support/operators.ts'
import { aPlayer } from '#tests/support/players.ts'
import { approveProposal } from '../operator/proposals.service.ts'
import { openMomoDesk, REFUND_REASON as reason, type MomoDesk } from '../testing/momo-desk.ts'

const LIMIT = 1_000_000

let desk: MomoDesk
let portal: TestApp
let bank: FakeProviders
let cashier: TestOperator
let second: TestOperator
let owner: TestOperator

beforeAll(async () => {
  desk = await openMomoDesk()
  ;({ portal, bank, cashier, second, owner } = desk)
})
afterAll(() => desk.close())
beforeEach(() => forgetLimited(portal))
afterEach(() => expectReconciled(portal))

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
  test('waits for a second person, and MoMo is asked after the approval', async () => {
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

  test('whoever asks: by parts of one transfer, by one operator, of one player’s money', async () => {
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
      ...[1, 2].map(() => desk.refund(id, null, { key: 'twice' })),
      ...[second, owner].map((by) => desk.refund(id, null, { by })),
    ])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status !== 202 && status !== 409)).toEqual([])
    expect((await desk.transfer(id)).acts).toHaveLength(1)
    expect(await desk.sentBack(id)).toEqual([])
  })

  test('whose answer is lost after the approval is asked about, and never asked for again', async () => {
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
