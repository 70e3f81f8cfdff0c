import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Alarm, OPERATOR_EVENTS_PATH, type Waiting } from '#contract/operator/alarms.ts'
import { followWaiting } from './waiting.ts'

let leaving = new AbortController()
beforeEach(() => void (leaving = new AbortController()))
afterEach(() => {
  leaving.abort()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const alarm = (count: number): Alarm => ({
  name: 'unmatched-transfers',
  count,
  late: 0,
  oldest: null,
  amount: null,
  runbook: 'money-in.md',
  place: null,
})

test('while its stream is refused the console reads what waits after each try', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('localStorage', { getItem: () => 'token' })
  const counts = [1, 1, 3]
  vi.stubGlobal('fetch', async (url: string) =>
    url.includes(OPERATOR_EVENTS_PATH)
      ? new Response(null, { status: 429 })
      : Response.json([alarm(counts.length > 1 ? (counts.shift() as number) : (counts[0] as number))]),
  )
  const news: string[] = []
  followWaiting(leaving.signal, { shown: async () => [alarm(1)], onNews: (name) => news.push(name) })
  await vi.advanceTimersByTimeAsync(1_500)
  expect(news).toEqual([])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(news).toEqual([])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(news).toEqual(['unmatched-transfers'])
})

const streaming = (waiting: Waiting) =>
  new Response(`event: waiting\ndata: ${JSON.stringify(waiting)}\n\n`, {
    headers: { 'content-type': 'text/event-stream' },
  })

test.each([
  ['is told when it came after the list was read', [alarm(1)], [['unmatched-transfers', '7']]],
  ['is no news where no list is shown', undefined, []],
  ['is no news when the list has it', [alarm(2)], []],
])('what the stream begins with %s', async (_, shown, expected) => {
  vi.useFakeTimers()
  vi.stubGlobal('localStorage', { getItem: () => 'token' })
  vi.stubGlobal('fetch', async () => streaming({ 'unmatched-transfers': { count: 2, newest: '7' } }))
  const news: unknown[] = []
  followWaiting(leaving.signal, { shown: async () => shown, onNews: (...told) => news.push(told) })
  await vi.advanceTimersByTimeAsync(500)
  expect(news).toEqual(expected)
})
