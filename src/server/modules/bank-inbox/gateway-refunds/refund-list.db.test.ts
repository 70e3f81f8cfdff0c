import { beforeAll, expect, test } from 'vitest'
import type { BankTransfer } from '#contract/operator/bank-transfers.ts'
import type { ListedRefund } from '#contract/operator/gateway-refunds.ts'
import { useTestApp } from '#tests/support/app.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { asOwner } from '#tests/support/databases.ts'
import { aTransfer, openAccounts, payment } from '#tests/support/bank.ts'
import type { TestOperator } from '#tests/support/operators.ts'

const portal = useTestApp()
const { first, second } = useOperators(portal, { first: 'cashier', second: 'cashier' })
let ofPlayer: string
let unowned: string
let refused: string
let code: string
let username: string

beforeAll(async () => {
  await openAccounts(portal)
  const { player, order } = await payment(portal)
  ;({ code } = order)
  ;({ username } = player)
  ofPlayer = await aTransfer(portal, { content: code })
  unowned = await aTransfer(portal)
  refused = await aTransfer(portal)
  const refund = (transfer: string, { id }: TestOperator, outcome: string) =>
    asOwner(
      portal,
      `INSERT INTO gateway_refund (bank_transaction_id, refund_order, amount, asked_by, reason, state, decided_at,
           provider_ref, result_code, next_query_at)
         SELECT $1, 'HT' || substr(md5(random()::text), 1, 20), 20000, $2, 'Khách chuyển nhầm', ${outcome}`,
      [transfer, id],
    )
  await refund(ofPlayer, first, "'done', now(), '4444', NULL, NULL")
  await refund(refused, first, "'failed', now(), NULL, 1080, NULL")
  await refund(unowned, first, "'failed', now(), NULL, 1002, NULL")
  await refund(unowned, second, "'asked', NULL, NULL, NULL, now() + interval '1 day'")
})

const list = async (filter: object = {}, rest = '') => {
  const query = encodeURIComponent(JSON.stringify(filter))
  return portal.call('GET', `/api/operator/gateway-refunds?filter=${query}${rest}`, { token: first.token })
}
const states = async (filter: object, rest?: string) =>
  ((await list(filter, rest)).body as ListedRefund[]).map(({ state }) => state)

test('refunds are listed, the newest first, with transfer, order, player and who requested it', async () => {
  expect(await states({})).toEqual(['asked', 'failed', 'failed', 'done'])
  const [, , , done] = (await list()).body as ListedRefund[]
  expect(done).toEqual({
    id: expect.any(String),
    bank_transfer_id: ofPlayer,
    refund_order: expect.stringMatching(/^HT/),
    amount: 20_000,
    state: 'done',
    result_code: null,
    asked_by: { id: first.id, username: first.username },
    reason: 'Khách chuyển nhầm',
    asked_at: expect.any(String),
    decided_at: expect.any(String),
    order_code: code,
    user: { id: expect.any(String), username },
  })
  const [newest] = (await list()).body as ListedRefund[]
  expect(newest).toMatchObject({ order_code: null, user: null, decided_at: null })
})

test('each filter narrows the list, and others are refused', async () => {
  expect(await states({ state: 'failed' })).toEqual(['failed', 'failed'])
  expect(await states({ bank_transfer_id: unowned })).toEqual(['asked', 'failed'])
  expect(await states({ asked_by: second.username.toUpperCase() })).toEqual(['asked'])
  expect(await states({ asked_by: 'khongcoai' })).toEqual([])
  expect((await list({ state: 'lost' })).status).toBe(422)
  expect((await list({ amount: 1 })).status).toBe(422)
})

test('the list goes on after a row, and is a file too', async () => {
  const [newest] = (await list()).body as ListedRefund[]
  expect(await states({}, `&after=${newest?.id}`)).toEqual(['failed', 'failed', 'done'])
  const { status, headers, body } = await portal.call('GET', '/api/operator/gateway-refunds.csv', {
    token: first.token,
  })
  expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
  expect(String(body).trim().split('\n')).toHaveLength(6)
  expect(String(body)).toContain(',Không hoàn được,1080,')
})

test('a refund that failed stays in the inbox until another one is requested or the money is decided', async () => {
  const marked = async () => {
    const query = encodeURIComponent(JSON.stringify({ id: [ofPlayer, unowned, refused] }))
    const { body } = await portal.call('GET', `/api/operator/bank-transfers?filter=${query}`, {
      token: first.token,
    })
    return (body as BankTransfer[]).filter((row) => row.has_failed_refund).map(({ id }) => id)
  }
  expect(await marked()).toEqual([refused])
  const path = `/api/operator/bank-transfers/${refused}/ignore`
  const ignored = await portal.call('POST', path, { token: first.token, body: { reason: 'Tiền nội bộ' } })
  expect(ignored.status).toBe(200)
  expect(await marked()).toEqual([])
})
