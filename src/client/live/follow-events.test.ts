import { getEventListeners } from 'node:events'
import { expect, test, vi } from 'vitest'
import { followEvents } from './follow-events.ts'

type Answer = Response | Error

const stream = (text: string) => new Response(text)
const status = (code: number) => new Response(null, { status: code })
const order = (state: string) => `data: ${JSON.stringify({ code: 'THN1', status: state })}\n\n`

/** Follows through the given answers, one connection each, and stops when they are used up. */
async function followThrough(...answers: Answer[]) {
  const received: string[] = []
  const streaming: boolean[] = []
  const waits: number[] = []
  const leaving = new AbortController()
  await followEvents<{ status: string }>('/api/events', {
    signal: leaving.signal,
    token: () => null,
    handlers: {
      onEvent: ({ status }) => received.push(status),
      onStreaming: (isStreaming) => streaming.push(isStreaming),
    },
    tools: {
      open: () => {
        const answer = answers.shift() ?? status(500)
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
      },
      wait: (ms) => {
        waits.push(ms)
        if (answers.length === 0) leaving.abort()
        return Promise.resolve()
      },
    },
  })
  return { received, streaming, waits, left: answers.length }
}

test('an address that is a function is asked at each connection', async () => {
  const addresses: string[] = []
  const ids: (string | null)[] = []
  const leaving = new AbortController()
  await followEvents<object>(() => `/api/events?after=${ids.at(-1) ?? '0'}`, {
    signal: leaving.signal,
    token: () => null,
    handlers: { onEvent: (_event, id) => ids.push(id), onStreaming: () => {} },
    tools: {
      open: async (address) => {
        addresses.push(address)
        return stream('id: 5\ndata: {}\n\n')
      },
      wait: async () => {
        if (addresses.length === 2) leaving.abort()
      },
    },
  })
  expect(addresses).toEqual(['/api/events?after=0', '/api/events?after=5'])
})

test('a stream is followed through several connections', async () => {
  const { received, streaming } = await followThrough(
    stream(order('pending')),
    stream(order('pending') + order('paid')),
  )
  expect(received).toEqual(['pending', 'pending', 'paid'])
  expect(streaming).toEqual([true, false, true, false])
})

test('a connection that fails is tried again, each time later, and sooner again once news came', async () => {
  const broken = new TypeError('network')
  const { waits } = await followThrough(broken, status(503), broken, stream(order('pending')), broken)
  expect(waits).toEqual([1_000, 2_000, 4_000, 1_000, 2_000])
})

test('the waiting never grows beyond half a minute', async () => {
  const { waits } = await followThrough(...Array.from({ length: 9 }, () => status(502)))
  expect(waits.slice(-3)).toEqual([30_000, 30_000, 30_000])
})

test('while the server has too many streams of this network the page polls, and the stream is requested again', async () => {
  const { waits, streaming, received } = await followThrough(status(429), status(429), stream(order('paid')))
  expect(streaming).toEqual([false, false, true, false])
  expect(waits).toEqual([1_000, 2_000, 1_000])
  expect(received).toEqual(['paid'])
})

test('what the server refuses for good is not requested again', async () => {
  const { waits, left, streaming } = await followThrough(status(404), stream(order('paid')))
  expect(waits).toEqual([])
  expect(left).toBe(1)
  expect(streaming).toEqual([false])
})

test('nothing is reported after leaving', async () => {
  const received: string[] = []
  const opened = Promise.withResolvers<Response>()
  const leaving = new AbortController()
  const following = followEvents<{ status: string }>('/api/events', {
    signal: leaving.signal,
    token: () => null,
    handlers: {
      onEvent: ({ status }) => received.push(status),
      onStreaming: (isOn) => received.push(String(isOn)),
    },
    tools: { open: () => opened.promise, wait: () => Promise.reject(new Error('must not wait')) },
  })
  leaving.abort()
  opened.resolve(stream(order('paid')))
  await following
  expect(received).toEqual([])
})

test('tries that fail leave no listener behind', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', () => Promise.resolve(status(502)))
  const leaving = new AbortController()
  const listeners: number[] = []
  const following = followEvents<object>('/api/events', {
    signal: leaving.signal,
    token: () => null,
    handlers: {
      onEvent: () => {},
      onStreaming: () => listeners.push(getEventListeners(leaving.signal, 'abort').length),
    },
  })
  await vi.advanceTimersByTimeAsync(200_000)
  expect(listeners.length).toBeGreaterThan(6)
  expect(new Set(listeners)).toEqual(new Set([0]))
  leaving.abort()
  await following
  expect(getEventListeners(leaving.signal, 'abort')).toEqual([])
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
