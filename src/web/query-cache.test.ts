import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aBrowser, aClient, aQuery, Passing, show, soon } from '#tests/support/query-client.ts'

beforeEach(() => {
  vi.useFakeTimers()
  aBrowser()
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('an answer', () => {
  test('is read once for all who want it meanwhile, and not again while it is fresh', async () => {
    const { client } = aClient()
    const { query, asked } = aQuery()
    const reads = [client.ensureQueryData(query), client.ensureQueryData(query), client.prefetchQuery(query)]
    await soon()
    expect(asked).toHaveLength(1)
    asked[0]?.answer('one')
    expect(await Promise.all(reads)).toEqual(['one', 'one', undefined])
    await vi.advanceTimersByTimeAsync(59_000)
    void client.prefetchQuery(query)
    await soon()
    expect(asked).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1_000)
    void client.prefetchQuery(query)
    await soon()
    expect(asked).toHaveLength(2)
    expect(await client.ensureQueryData(query)).toBe('one')
  })

  test('that says the same leaves the known one as it is, unless its read decides otherwise', async () => {
    const { client } = aClient()
    const { query } = aQuery()
    const known = { name: 'one', list: [1] }
    client.setQueryData(query.queryKey, known)
    client.setQueryData(query.queryKey, { name: 'one', list: [1] })
    expect(client.getQueryData(query.queryKey)).toBe(known)
    client.setQueryData(query.queryKey, { name: 'one', list: [2] })
    expect(client.getQueryData(query.queryKey)).toEqual({ name: 'one', list: [2] })

    const highest = {
      queryKey: ['highest'],
      structuralSharing: (a: unknown, b: unknown) => Math.max(Number(a ?? 0), Number(b)),
    }
    client.entryOf({ ...query, ...highest })
    for (const number of [2, 3, 1]) client.setQueryData(['highest'], number)
    expect(client.getQueryData(['highest'])).toBe(3)
  })

  test('is told by its key alone, and found by how the key begins', async () => {
    const { client } = aClient()
    for (const key of [['mine', '/a', 1], ['mine', '/a', 2], ['mine', '/ab'], ['mine'], ['open', '/a']])
      client.setQueryData(key, 'known')
    client.removeQueries({ queryKey: ['mine', '/a'] })
    expect(client.entries().map(({ queryKey }) => queryKey)).toEqual([
      ['mine', '/ab'],
      ['mine'],
      ['open', '/a'],
    ])
    client.removeQueries({ queryKey: ['mine'] })
    expect(client.entries().map(({ queryKey }) => queryKey)).toEqual([['open', '/a']])
  })

  test('is forgotten a while after nobody shows it any more', async () => {
    const { client } = aClient()
    const { query } = aQuery({ staleTime: Infinity, gcTime: 1_000 })
    client.setQueryData(query.queryKey, 'known')
    const shown = show(client, query)
    client.setQueryData(query.queryKey, 'changed')
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(client.getQueryData(query.queryKey)).toBe('changed')
    shown.leave()
    await vi.advanceTimersByTimeAsync(999)
    expect(client.getQueryData(query.queryKey)).toBe('changed')
    await vi.advanceTimersByTimeAsync(1)
    expect(client.getQueryData(query.queryKey)).toBeUndefined()
  })

  test('stays on the server for as long as the page is rendered', async () => {
    const { client } = aClient({ isServer: true })
    client.setQueryData(['open'], 'known')
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a read that fails', () => {
  test('is tried once more after a second when the failure may pass', async () => {
    const { client, onError } = aClient()
    const { query, asked } = aQuery()
    const read = client.ensureQueryData(query)
    await soon()
    asked[0]?.fail(new Passing())
    await vi.advanceTimersByTimeAsync(999)
    expect(asked).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(asked).toHaveLength(2)
    asked[1]?.answer('at last')
    expect(await read).toBe('at last')
    expect(onError).not.toHaveBeenCalled()
  })

  test.each([
    ['for good', new Error('refused'), {}, false],
    ['and must not be repeated', new Passing(), { retry: false }, false],
    ['on the server', new Passing(), {}, true],
  ])('%s is reported at once', async (_case, error, options, isServer) => {
    const { client, onError } = aClient({ isServer })
    const { query, asked } = aQuery(options)
    const read = client.ensureQueryData(query).catch((reason: unknown) => reason)
    await soon()
    asked[0]?.fail(error)
    expect(await read).toBe(error)
    expect(onError.mock.calls).toEqual([[error]])
    expect(client.entryOf(query).state).toMatchObject({
      status: 'error',
      error,
      fetchStatus: 'idle',
      isFetched: true,
    })
  })

  test('leaves what is known; without an answer the next read begins as the first one did', async () => {
    const { client } = aClient()
    const { query, asked } = aQuery({ staleTime: 0 })
    const { result, entry } = show(client, query)
    await soon()
    asked[0]?.fail(new Error('refused'))
    await soon()
    expect(result()).toMatchObject({ isError: true, isRefetchError: false, isPending: false })
    void result().refetch()
    await soon()
    expect(result()).toMatchObject({ isError: false, isPending: true, error: null, isFetching: true })
    asked[1]?.answer('one')
    await soon()
    void result().refetch()
    await soon()
    asked[2]?.fail(new Error('refused'))
    await soon()
    expect(result()).toMatchObject({ data: 'one', isError: true, isRefetchError: true })
    expect(entry.state.fetchStatus).toBe('idle')
  })
})

describe('an older answer that is still on its way', () => {
  test('does not follow a newer one', async () => {
    const { client } = aClient()
    const { query, asked } = aQuery({ staleTime: 0 })
    client.setQueryData(query.queryKey, 'before')
    const { result } = show(client, query)
    await soon()
    const changed = client.invalidateQueries({ queryKey: ['open'] })
    await soon()
    expect(asked).toHaveLength(2)
    asked[1]?.answer('after the change')
    await changed
    asked[0]?.answer('older')
    await soon()
    expect(result().data).toBe('after the change')
  })

  test('counts for nothing once it was called off, nor does its failure', async () => {
    const { client, onError } = aClient()
    const { query, asked } = aQuery({ staleTime: 0 })
    client.setQueryData(query.queryKey, 'before')
    const { result } = show(client, query)
    await soon()
    client.cancelQueries({ queryKey: query.queryKey })
    expect(result().isFetching).toBe(false)
    client.setQueryData(query.queryKey, 'by an event')
    asked[0]?.answer('older')
    await soon()
    expect(result().data).toBe('by an event')

    void result().refetch()
    await soon()
    client.cancelQueries({ queryKey: query.queryKey })
    asked[1]?.fail(new Error('refused'))
    await soon()
    expect(result().error).toBeNull()
    expect(onError).not.toHaveBeenCalled()
  })
})
