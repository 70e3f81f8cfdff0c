import { afterEach, expect, test, vi } from 'vitest'
import { type Alarm, OPERATOR_EVENTS_PATH } from '#contract/operator/alarms.ts'
import { followWaiting } from './waiting.ts'

const leaving = new AbortController()
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
  followWaiting(leaving.signal, (name) => news.push(name))
  await vi.advanceTimersByTimeAsync(1_500)
  expect(news).toEqual([])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(news).toEqual([])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(news).toEqual(['unmatched-transfers'])
})
