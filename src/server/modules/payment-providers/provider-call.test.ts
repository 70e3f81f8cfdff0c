import { afterEach, expect, test } from 'vitest'
import { startFakeProviders, type FakeProviders } from '#tests/fakes/provider-server.ts'
import { openProviderCall, ProviderFailure } from './provider-call.ts'

let bank: FakeProviders | undefined
afterEach(() => bank?.close())

const start = async () =>
  (bank = await startFakeProviders({
    sepayToken: 'token',
    cassoToken: 'token',
    momo: { partnerCode: 'P', accessKey: 'a', secretKey: 's' },
    payos: { clientId: 'c', apiKey: 'k', checksumKey: 's' },
  }))

const LIST = {
  method: 'GET' as const,
  path: '/userapi/transactions/list?limit=1',
  headers: { authorization: 'Bearer token' },
}

const failureOf = (call: Promise<unknown>): Promise<ProviderFailure> =>
  call.then(
    () => expect.unreachable('the call was answered'),
    (error) => error as ProviderFailure,
  )

test('calls made at once go out three a second', async () => {
  const { url } = await start()
  const call = openProviderCall({ baseUrl: url, timeoutMs: 2_000 })
  const started = performance.now()
  await Promise.all([call(LIST), call(LIST), call(LIST)])
  expect(performance.now() - started).toBeGreaterThan(660)
})

test('a provider that never answers is given up, one that is not there is another failure', async () => {
  const fake = await start()
  fake.failNext('hang')
  const slow = await failureOf(openProviderCall({ baseUrl: fake.url, timeoutMs: 100 })(LIST))
  expect([slow.kind, slow.isUnsent]).toEqual(['unreachable', false])
  const { url } = fake
  await fake.close()
  bank = undefined
  const gone = await failureOf(openProviderCall({ baseUrl: url, timeoutMs: 1_000 })(LIST))
  expect([gone.kind, gone.isUnsent]).toEqual(['unreachable', true])
})

test('after 429 it is called again as soon as it allows, and not without end', async () => {
  const fake = await start()
  const call = openProviderCall({ baseUrl: fake.url, timeoutMs: 1_000, paceMs: 0 })
  fake.failNext('busy', 2)
  await call(LIST)
  expect(fake.calls).toHaveLength(3)
  fake.failNext('busy', 3)
  expect((await failureOf(call(LIST))).kind).toBe('busy')
  fake.failNext('busy-long')
  const failure = await failureOf(call(LIST))
  expect([failure.kind, failure.retryAfterSeconds]).toEqual(['busy', 60])
  expect(fake.calls).toHaveLength(7)
})

test('the text of its refusal is not in the message', async () => {
  const fake = await start()
  const refused = await failureOf(
    openProviderCall({ baseUrl: `${fake.url}/`, timeoutMs: 1_000 })({ method: 'GET', path: '/nothing' }),
  )
  expect([refused.kind, refused.message, refused.answer]).toEqual([
    'refused',
    'the provider answered HTTP 404',
    '{}',
  ])
})
