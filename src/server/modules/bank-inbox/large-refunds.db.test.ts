import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OperatorProposal } from '#contract/operator/proposals.ts'
import { startAskingApp, type AskedProviders } from '#tests/support/asked-providers.ts'
import { asOwner, assertBooks, forgetLimited, openAccounts } from '#tests/support/bank.ts'
import { momoMoney } from '#tests/support/momo-money.ts'
import { anOperator, operatorsCall, type TestOperator } from '#tests/support/operators.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { askDueRefunds } from './gateway-refunds.service.ts'
import { approveProposal } from './proposals.service.ts'

const reason = 'Khách chuyển nhầm, xin hoàn'
const LIMIT = 1_000_000

let asked: AskedProviders
let cashier: TestOperator
let second: TestOperator
let owner: TestOperator
let player: TestPlayer

beforeAll(async () => {
  asked = await startAskingApp(['momo'])
  await openAccounts(asked.test)
  cashier = await anOperator(asked.test, 'cashier')
  second = await anOperator(asked.test, 'cashier')
  owner = await anOperator(asked.test, 'owner')
  player = await aPlayer(asked.test)
})
afterAll(() => asked.close())
beforeEach(() => forgetLimited(asked.test))
afterEach(() => assertBooks(asked.test))

const paid = (amount: number, by = player) =>
  momoMoney({ portal: asked.test, bank: asked.bank }, by, { amount })

type How = { by?: TestOperator; key?: string; amount?: number }

const act = (id: string, name: string, { by = cashier, key, amount }: How = {}) =>
  asked.test.call('POST', `/api/operator/bank-transfers/${id}/${name}`, {
    token: by.token,
    body: { reason, ...(amount === undefined ? {} : { amount }) },
    ...(key === undefined ? {} : { key }),
  })
const refund = (id: string, how: How = {}) => act(id, 'refund-at-gateway', how)

const transfer = async (id: string) =>
  (await asked.test.call('GET', `/api/operator/bank-transfers/${id}`, { token: cashier.token })).body

/** VND that MoMo was asked to send back of a transfer's payment. */
async function sentBack(id: string): Promise<number[]> {
  const { bank_ref } = await transfer(id)
  const made = [...asked.bank.momo.refunds.values()]
  return made.filter(({ paidTransId }) => String(paidTransId) === bank_ref).map(({ amount }) => amount)
}

/** A refund that waits, of so much money. */
async function proposed(amount = LIMIT + 1_000): Promise<string> {
  const id = await paid(amount)
  expect((await refund(id)).status).toBe(202)
  return id
}

describe('a refund at MoMo above the limit', () => {
  test('waits for a second person, and MoMo is asked after the approval', async () => {
    const id = await paid(LIMIT + 1_000)
    asked.bank.calls.length = 0
    expect(await refund(id, { by: owner })).toMatchObject({
      status: 202,
      body: {
        status: 'waiting',
        state: 'review',
        proposal: { act: 'refund-at-gateway', amount: LIMIT + 1_000, proposed_by: { id: owner.id }, reason },
      },
    })
    expect(asked.bank.calls).toEqual([])
    expect(await transfer(id)).toMatchObject({
      refunds: [],
      acts: [{ act: 'propose', details: { proposed: 'refund-at-gateway', amount: LIMIT + 1_000 } }],
    })
    expect((await act(id, 'approve', { by: owner })).status).toBe(409)
    expect(await act(id, 'approve', { by: second })).toMatchObject({
      status: 200,
      body: {
        status: 'done',
        state: 'refunded',
        proposal: null,
        refund: { amount: LIMIT + 1_000, state: 'done', asked_by: { id: owner.id }, reason },
      },
    })
    expect(await sentBack(id)).toEqual([LIMIT + 1_000])
    expect((await transfer(id)).acts).toMatchObject([{ act: 'propose' }, { act: 'approve' }])
  })

  test('whoever asks: by parts of one transfer, by one operator, of one player’s money', async () => {
    const id = await paid(LIMIT + 1_000)
    await asOwner(asked.test, "UPDATE limited_act SET at = at - interval '1 day'")
    expect((await refund(id, { amount: LIMIT })).status).toBe(200)
    await forgetLimited(asked.test)
    expect((await refund(id, { amount: 1_000, by: second })).status).toBe(202)
    const [one, other, third] = [
      await paid(600_000),
      await paid(600_000, await aPlayer(asked.test)),
      await paid(600_000),
    ]
    expect([(await refund(one, { by: owner })).status, (await refund(other, { by: owner })).status]).toEqual([
      200, 202,
    ])
    await act(other, 'withdraw', { by: owner })
    expect((await refund(other, { by: cashier })).status).toBe(200)
    expect((await refund(third, { by: second })).status).toBe(202)
    await act(third, 'withdraw', { by: second })
  })

  test('is not what is rejected or withdrawn: the transfer is open again, and nothing went back', async () => {
    for (const [name, by] of [
      ['reject', second],
      ['withdraw', cashier],
    ] as const) {
      const id = await proposed()
      expect((await refund(id, { by: second })).status).toBe(409)
      expect((await act(id, 'ignore', { by: second })).status).toBe(409)
      expect((await act(id, name, { by })).status).toBe(200)
      expect((await act(id, 'approve', { by: second })).status).toBe(409)
      expect([await sentBack(id), (await transfer(id)).waiting]).toEqual([[], null])
    }
  })

  test('approved by several at once, also with one key, goes back once', async () => {
    const id = await proposed()
    const answers = await Promise.all([
      ...[1, 2].map(() => act(id, 'approve', { by: second, key: 'agreed' })),
      ...[1, 2].map(() => act(id, 'approve', { by: owner })),
    ])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([])
    expect(statuses).toContain(200)
    expect(await sentBack(id)).toEqual([LIMIT + 1_000])
    expect(await transfer(id)).toMatchObject({ state: 'refunded', refunds: [{ state: 'done' }] })
  })

  test('proposed by several at once, and with a repeated key, is one proposal', async () => {
    const id = await paid(LIMIT + 1_000)
    const answers = await Promise.all([
      ...[1, 2].map(() => refund(id, { key: 'twice' })),
      ...[second, owner].map((by) => refund(id, { by })),
    ])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status !== 202 && status !== 409)).toEqual([])
    expect((await transfer(id)).acts).toHaveLength(1)
    expect(await sentBack(id)).toEqual([])
  })

  test('whose answer is lost after the approval is asked about, and never asked for again', async () => {
    const id = await proposed()
    asked.bank.failNext('lost-after')
    asked.bank.calls.length = 0
    const approve = () => act(id, 'approve', { by: second, key: 'lost' })
    expect(await approve()).toMatchObject({
      status: 200,
      body: { status: 'waiting', refund: { state: 'asked' } },
    })
    expect((await approve()).body.status).toBe('waiting')
    expect(asked.bank.calls).toHaveLength(1)
    await asOwner(
      asked.test,
      `UPDATE gateway_refund SET asked_at = asked_at - interval '1 minute',
          next_query_at = next_query_at - interval '1 minute' WHERE bank_transaction_id = $1`,
      [id],
    )
    await askDueRefunds(asked.test.deps)
    expect((await approve()).body).toMatchObject({ status: 'done', state: 'refunded' })
    expect(await sentBack(id)).toEqual([LIMIT + 1_000])
  })

  test('cannot be approved while MoMo is not set up, and waits on', async () => {
    const id = await proposed()
    const { deps } = asked.test
    const call = operatorsCall(id, reason, second.id)
    const operator = { id: second.id, permissions: [], requestId: 'test' }
    const closed = { ...deps, payments: { ...deps.payments, checkouts: [] } }
    await expect(approveProposal(closed, { id, body: call.body, operator, call })).rejects.toMatchObject({
      code: 'DISABLED',
    })
    expect((await transfer(id)).waiting).toMatchObject({ act: 'refund-at-gateway' })
    expect((await act(id, 'approve', { by: second })).body.state).toBe('refunded')
  })

  test('that MoMo refuses leaves the money in review, to be proposed again', async () => {
    const id = await proposed()
    asked.bank.momo.refuseRefund(1080)
    const refused = await act(id, 'approve', { by: second })
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('mã 1080')])
    expect((await refund(id)).status).toBe(202)
    expect((await act(id, 'approve', { by: second })).body.state).toBe('refunded')
  })

  test('stands in the list of all proposals with what would go back, and is decided there', async () => {
    const id = await proposed()
    const list = await asked.test.call('GET', '/api/operator/proposals?filter={"state":"waiting"}', {
      token: second.token,
    })
    const found = (list.body as OperatorProposal[]).find(({ subject }) => subject === id)
    expect(found).toMatchObject({ kind: 'bank-transfer', payload: { refund: LIMIT + 1_000 } })
    const path = `/api/operator/proposals/${found?.id}/approve`
    expect((await asked.test.call('POST', path, { token: cashier.token, body: { reason } })).status).toBe(409)
    expect((await asked.test.call('POST', path, { token: second.token, body: { reason } })).status).toBe(200)
    expect(await sentBack(id)).toEqual([LIMIT + 1_000])
  })
})
