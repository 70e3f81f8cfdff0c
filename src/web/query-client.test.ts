import { QueryObserver, type QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dated } from '#client/answer-age.ts'
import { CallError, type Call } from '#client/call.ts'
import type { getPost, listPosts } from '#contract/posts.ts'
import type { getOrder } from '#contract/recharge.ts'
import { createPortalClient, forgetOwnAnswers, openQuery, ownQuery } from '#web/query-client.ts'

const postQuery = openQuery<typeof getPost>('/posts/{id}', { params: { id: '7' } })
const orderQuery = ownQuery<typeof getOrder>('/recharge/orders/{code}', { params: { code: 'TCX7' } })

/** A portal whose calls are answered by hand. */
function aClient({ isServer = false } = {}) {
  const calls: {
    address: unknown
    input: unknown
    answer: (data: unknown) => void
    fail: (error: Error) => void
  }[] = []
  const call = ((address, input) =>
    new Promise((resolve, reject) =>
      calls.push({ address, input, answer: resolve as (data: unknown) => void, fail: reject }),
    )) as Call
  const onError = vi.fn()
  return { client: createPortalClient({ call, onError, isServer }), calls, onError }
}

const show = (client: QueryClient, query: typeof postQuery | typeof orderQuery) =>
  new QueryObserver(client, query as typeof postQuery).subscribe(() => {})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a query reads from the API what its key names', async () => {
  const { client, calls } = aClient()
  const query = openQuery<typeof listPosts>('/posts', { query: { limit: 13 } })
  const read = client.ensureQueryData(query)
  expect(calls).toMatchObject([
    { address: { method: 'GET', path: '/posts' }, input: { query: { limit: 13 } } },
  ])
  calls[0]?.answer([])
  expect(await read).toEqual([])
  expect(client.getQueryData(query.queryKey)).toEqual([])
})

test('an answer is fresh for a minute', async () => {
  const { client, calls } = aClient()
  client.setQueryData(postQuery.queryKey, { id: '7' } as never)
  await vi.advanceTimersByTimeAsync(59_999)
  void client.prefetchQuery(postQuery)
  expect(calls).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(1)
  void client.prefetchQuery(postQuery)
  expect(calls).toHaveLength(1)
})

test('an older answer does not replace a newer one, whichever comes first', () => {
  const { client } = aClient()
  const take = (title: string, moment?: number) =>
    client.setQueryData(postQuery.queryKey, dated({ id: '7', title }, moment) as never)
  const shown = () => client.getQueryData<{ title: string }>(postQuery.queryKey)?.title
  take('rendered')
  take('second', 2_000)
  take('first', 1_000)
  expect(shown()).toBe('second')
  // The same again is as new as the last time that it was read.
  take('second', 4_000)
  take('third', 3_000)
  expect(shown()).toBe('second')
  // What the page itself puts there is as new as what it changes.
  take('typed')
  take('third', 3_000)
  expect(shown()).toBe('typed')
  take('fifth', 5_000)
  expect(shown()).toBe('fifth')
})

test('a failure that may pass is tried once more after a second, and then reported', async () => {
  const { client, calls, onError } = aClient()
  const read = client.ensureQueryData(postQuery).catch((error: unknown) => error)
  calls[0]?.fail(new CallError(503, null))
  await vi.advanceTimersByTimeAsync(999)
  expect(calls).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(calls).toHaveLength(2)
  expect(onError).not.toHaveBeenCalled()
  calls[1]?.fail(new CallError(0, null))
  expect(await read).toMatchObject({ status: 0 })
  expect(onError.mock.calls).toEqual([[expect.objectContaining({ status: 0 })]])
})

test.each([
  ['a refusal', 404, false],
  ['a failure on the server', 503, true],
])('%s is not tried again', async (_case, status, isServer) => {
  const { client, calls, onError } = aClient({ isServer })
  const read = client.ensureQueryData(postQuery).catch((error: unknown) => error)
  calls[0]?.fail(new CallError(status, null))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await read).toMatchObject({ status })
  expect(calls).toHaveLength(1)
  expect(onError).toHaveBeenCalledOnce()
})

test('what another query reads is not reported when it fails', async () => {
  const { client, calls, onError } = aClient({ isServer: true })
  const read = client.fetchQuery({ ...postQuery, meta: { isSource: true } }).catch(() => null)
  calls[0]?.fail(new CallError(503, null))
  expect(await read).toBeNull()
  expect(onError).not.toHaveBeenCalled()
})

test('when the player changes their answers are forgotten, and no others', () => {
  const { client } = aClient()
  client.setQueryData(postQuery.queryKey, { id: '7' } as never)
  client.setQueryData(orderQuery.queryKey, { code: 'TCX7' } as never)
  forgetOwnAnswers(client)
  expect(client.getQueryData(orderQuery.queryKey)).toBeUndefined()
  expect(client.getQueryData(postQuery.queryKey)).toEqual({ id: '7' })
})

test('a read that an event has overtaken is neither shown nor sent again', async () => {
  const { client, calls } = aClient()
  const leave = show(client, orderQuery)
  void client.cancelQueries({ queryKey: orderQuery.queryKey })
  client.setQueryData(orderQuery.queryKey, { status: 'paid' } as never)
  calls[0]?.answer({ status: 'pending' })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(client.getQueryData(orderQuery.queryKey)).toEqual({ status: 'paid' })

  void client.refetchQueries({ queryKey: orderQuery.queryKey })
  void client.cancelQueries({ queryKey: orderQuery.queryKey })
  client.setQueryData(orderQuery.queryKey, { status: 'paid_over' } as never)
  calls[1]?.fail(new CallError(503, null))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(client.getQueryState(orderQuery.queryKey)).toMatchObject({ status: 'success', fetchStatus: 'idle' })
  expect(calls).toHaveLength(2)
  leave()
})
