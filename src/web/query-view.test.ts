import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aBrowser, aClient, aQuery, show, soon } from '#tests/support/query-client.ts'

let browser: ReturnType<typeof aBrowser>

beforeEach(() => {
  vi.useFakeTimers()
  browser = aBrowser()
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('what is invalidated', () => {
  test('is read again where it is shown, and otherwise when it is shown next', async () => {
    const { client } = aClient()
    const shown = aQuery()
    const hidden = aQuery({ queryKey: ['open', '/hidden'] })
    const off = aQuery({ queryKey: ['open', '/off'], enabled: false })
    for (const { query } of [shown, hidden, off]) client.setQueryData(query.queryKey, 'known')
    show(client, shown.query)
    show(client, off.query)
    void client.invalidateQueries({ queryKey: ['open'] })
    await soon()
    expect([shown, hidden, off].map(({ asked }) => asked.length)).toEqual([1, 0, 0])
    show(client, hidden.query)
    await soon()
    expect(hidden.asked).toHaveLength(1)
  })
})

describe('without network', () => {
  test('a read waits for it, and says so', async () => {
    const { client } = aClient()
    const { query, asked } = aQuery()
    browser.connect(false)
    const { result } = show(client, query)
    await soon()
    expect(result().fetchStatus).toBe('paused')
    expect(asked).toHaveLength(0)
    browser.connect(true)
    await soon()
    expect(result().fetchStatus).toBe('fetching')
    expect(asked).toHaveLength(1)
  })

  test('what has become old meanwhile is read when it is back', async () => {
    const { client } = aClient()
    const [fresh, old] = [aQuery(), aQuery({ queryKey: ['old'], staleTime: 0 })]
    for (const { query } of [fresh, old]) {
      client.setQueryData(query.queryKey, 'known')
      show(client, { ...query, refetchOnMount: false })
    }
    browser.connect(true)
    await soon()
    expect([fresh, old].map(({ asked }) => asked.length)).toEqual([0, 1])
  })
})

describe('a component', () => {
  test('renders again for what it uses, and for nothing else', async () => {
    const { client } = aClient()
    const { query, asked } = aQuery({ staleTime: 0 })
    client.setQueryData(query.queryKey, { name: 'one' })
    const [ofData, ofReads] = [show(client, query), show(client, query)]
    void ofData.result().data
    void ofReads.result().isFetching
    const before = [ofData.changes(), ofReads.changes()]
    void ofData.result().refetch()
    await soon()
    asked.at(-1)?.answer({ name: 'one' })
    await soon()
    expect(ofData.changes()).toBe(before[0])
    expect(ofReads.changes()).toBeGreaterThan(before[1] ?? 0)
    client.setQueryData(query.queryKey, { name: 'other' })
    expect(ofData.changes()).toBe((before[0] ?? 0) + 1)
  })

  test('shows what is known, however old, where it wants no read', async () => {
    const { client } = aClient()
    const { query, asked } = aQuery({ staleTime: 0, refetchOnMount: false })
    client.setQueryData(query.queryKey, 'known')
    show(client, query)
    await soon()
    expect(asked).toHaveLength(0)
    client.removeQueries({ queryKey: query.queryKey })
    show(client, query)
    await soon()
    expect(asked).toHaveLength(1)
  })

  test('keeps the page before until the next one is there', async () => {
    const { client } = aClient()
    const first = aQuery({ keepsPrevious: true })
    const next = aQuery({ queryKey: ['next'], keepsPrevious: true })
    client.setQueryData(first.query.queryKey, 'first')
    const { view, leave } = show(client, first.query)
    leave()
    const entry = client.entryOf(next.query)
    view.watch(entry, () => undefined)
    view.update(entry, next.query)
    view.readIfDue(entry)
    await soon()
    expect(view.resultOf(entry)).toMatchObject({ data: 'first', isPlaceholderData: true, isPending: false })
    next.asked[0]?.answer('next')
    await soon()
    expect(view.resultOf(entry)).toMatchObject({ data: 'next', isPlaceholderData: false })
  })

  test('reads again at its interval, which may end with an answer; in the background it waits', async () => {
    const { client } = aClient()
    const { query, asked } = aQuery({
      refetchInterval: ({ state }) => (state.data === 'over' ? false : 10_000),
    })
    show(client, query)
    await soon()
    asked[0]?.answer('open')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(asked).toHaveLength(2)
    asked[1]?.answer('open')
    browser.turn('hidden')
    await vi.advanceTimersByTimeAsync(30_000)
    expect(asked).toHaveLength(2)
    browser.turn('visible')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(asked).toHaveLength(3)
    asked[2]?.answer('over')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toHaveLength(3)
  })

  test('takes another interval from its next rendering on', async () => {
    const { client } = aClient()
    const { query, asked } = aQuery({ refetchInterval: false })
    client.setQueryData(query.queryKey, 'known')
    const { view, entry, leave } = show(client, query)
    view.update(entry, { ...query, refetchInterval: 5_000 })
    await vi.advanceTimersByTimeAsync(4_999)
    view.update(entry, { ...query, refetchInterval: 5_000 })
    await vi.advanceTimersByTimeAsync(1)
    expect(asked).toHaveLength(1)
    leave()
    asked[0]?.answer('known')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toHaveLength(1)
  })

  test('reads again when the page comes back to the front, if it asks for that', async () => {
    const { client } = aClient()
    const usual = aQuery()
    const eager = aQuery({ queryKey: ['eager'], refetchOnWindowFocus: 'always' })
    for (const { query } of [usual, eager]) {
      client.setQueryData(query.queryKey, 'known')
      show(client, query)
    }
    browser.turn('hidden')
    await soon()
    expect(eager.asked).toHaveLength(0)
    browser.turn('visible')
    await soon()
    expect([usual, eager].map(({ asked }) => asked.length)).toEqual([0, 1])
  })

  test('that is turned off reads nothing', async () => {
    const { client } = aClient()
    const { query, asked } = aQuery({
      enabled: false,
      refetchInterval: 1_000,
      refetchOnWindowFocus: 'always',
    })
    show(client, query)
    browser.turn('visible')
    browser.connect(true)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(asked).toHaveLength(0)
  })
})
