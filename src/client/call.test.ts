import { expect, test } from 'vitest'
import type { TransportReply, TransportRequest } from '#contract/rendered-page.ts'
import { createOrder, getOrder } from '#contract/recharge.ts'
import { listTransactions } from '#contract/transactions.ts'
import { addressOf, CallError, createCall } from '#client/call.ts'

function callWith(reply: TransportReply | Error) {
  const sent: TransportRequest[] = []
  const call = createCall(async (request) => {
    sent.push(request)
    if (reply instanceof Error) throw reply
    return reply
  })
  return { call, sent }
}

test('an address carries its parameters escaped and leaves out what is absent', () => {
  expect(addressOf('/recharge/orders/{code}', { code: 'A/B?' })).toBe('/api/recharge/orders/A%2FB%3F')
  expect(addressOf('/posts', undefined, { limit: 12, before: undefined, category: '' })).toBe(
    '/api/posts?limit=12',
  )
})

test('a call sends its body as JSON under its idempotency key', async () => {
  const { call, sent } = callWith({ status: 201, text: '{"code":"X"}' })
  await expect(
    call(createOrder, { body: { channel: 2, amount: 50_000 }, idempotencyKey: 'k1' }),
  ).resolves.toMatchObject({ code: 'X' })
  expect(sent[0]).toEqual({
    method: 'POST',
    url: '/api/recharge/orders',
    headers: { accept: 'application/json', 'content-type': 'application/json', 'idempotency-key': 'k1' },
    body: '{"channel":2,"amount":50000}',
  })
})

test('a call without a body has no content type', async () => {
  const { call, sent } = callWith({ status: 200, text: '{"data":[]}' })
  await call(listTransactions, { query: { page: 2, sort: 'amount' } })
  expect(sent[0]).toMatchObject({
    url: '/api/user/transactions?page=2&sort=amount',
    headers: { accept: 'application/json' },
  })
  expect(sent[0]?.headers).not.toHaveProperty('content-type')
})

test('a refusal is thrown with its status and its body', async () => {
  const body = { code: 'NOT_FOUND', message: 'Không tìm thấy', requestId: 'r' }
  const { call } = callWith({ status: 404, text: JSON.stringify(body) })
  const error: unknown = await call(getOrder, { params: { code: 'X' } }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(CallError)
  expect(error).toMatchObject({ status: 404, body })
})

test('a proxy’s error page and a lost connection are distinguished from refusals', async () => {
  const page = callWith({ status: 502, text: '<html>Bad gateway</html>' })
  await expect(page.call(getOrder, { params: { code: 'X' } })).rejects.toMatchObject({
    status: 502,
    body: null,
  })
  const offline = callWith(new TypeError('fetch failed'))
  await expect(offline.call(getOrder, { params: { code: 'X' } })).rejects.toMatchObject({
    status: 0,
    body: null,
  })
})
