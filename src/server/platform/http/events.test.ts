import type { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { EventStreams, STREAM_LIMITS, type Watch } from './events.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** An order that is pending at first and then paid. */
const anOrder: Watch<{ status: string }> = {
  userId: '1',
  readFirst: async () => ({ status: 'pending' }),
  read: async () => ({ status: 'paid' }),
  isFinal: ({ status }) => status === 'paid',
  onHint: () => () => {},
  now: () => Date.now(),
  onError: () => {},
}

/** Something watched that the test moves on, with everything its stream has sent. */
async function watching(streams: EventStreams, userId = '1') {
  const scene = {
    status: 'pending',
    isBroken: false,
    errors: 0,
    mayWatch: true,
    text: '',
    isEnded: false,
  }
  const listeners = new Set<() => void>()
  const readable: Readable = await streams.open({
    ...anOrder,
    userId,
    readFirst: async () => ({ status: scene.status }),
    read: async () => {
      if (scene.isBroken) throw new Error('the database is away')
      return scene.mayWatch ? { status: scene.status } : null
    },
    onHint: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onError: () => (scene.errors += 1),
  })
  readable.on('data', (chunk: Buffer) => (scene.text += chunk.toString()))
  readable.on('end', () => (scene.isEnded = true))
  const hint = () => listeners.forEach((listener) => listener())
  return { scene, readable, hint, listeners }
}

const settle = () => vi.advanceTimersByTimeAsync(1)
const eventsIn = (text: string) =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json ?? '') as unknown)

describe('a stream', () => {
  test('sends the state at once, and again only when it has changed', async () => {
    const { scene, hint } = await watching(new EventStreams(STREAM_LIMITS))
    await settle()
    expect(eventsIn(scene.text)).toEqual([{ status: 'pending' }])
    hint()
    await settle()
    expect(eventsIn(scene.text)).toHaveLength(1)
    scene.status = 'review'
    hint()
    await settle()
    expect(eventsIn(scene.text)).toEqual([{ status: 'pending' }, { status: 'review' }])
    expect(scene.isEnded).toBe(false)
  })

  test('finds a change by polling when the notification is lost', async () => {
    const { scene } = await watching(new EventStreams(STREAM_LIMITS))
    scene.status = 'paid'
    await vi.advanceTimersByTimeAsync(STREAM_LIMITS.pollMs + 1)
    expect(eventsIn(scene.text)).toEqual([{ status: 'pending' }, { status: 'paid' }])
  })

  test('reads again what changed while its first state was read', async () => {
    const changed = Promise.withResolvers<{ status: string }>()
    let hint = () => {}
    const opening = new EventStreams(STREAM_LIMITS).open({
      ...anOrder,
      readFirst: () => changed.promise,
      onHint: (listener) => {
        hint = listener
        return () => {}
      },
    })
    hint()
    changed.resolve({ status: 'pending' })
    let sent = ''
    ;(await opening).on('data', (chunk: Buffer) => (sent += chunk.toString()))
    await settle()
    expect(eventsIn(sent)).toEqual([{ status: 'pending' }, { status: 'paid' }])
  })

  test('that is refused leaves nothing behind', async () => {
    const streams = new EventStreams({ ...STREAM_LIMITS, perProcess: 1 })
    const refused = streams.open({ ...anOrder, readFirst: () => Promise.reject(new Error('not found')) })
    await expect(refused).rejects.toThrow('not found')
    await settle()
    expect([streams.isFull(), streams.isFullFor('1'), vi.getTimerCount()]).toEqual([false, false, 0])
  })

  test('ends when nothing can change any more', async () => {
    const streams = new EventStreams({ ...STREAM_LIMITS, perProcess: 1 })
    const { scene, hint, listeners } = await watching(streams)
    expect(streams.isFull()).toBe(true)
    scene.status = 'paid'
    hint()
    await settle()
    expect(scene.isEnded).toBe(true)
    expect(listeners.size).toBe(0)
    expect(streams.isFull()).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('holds the connection open, and ends after its time', async () => {
    const { scene } = await watching(new EventStreams(STREAM_LIMITS))
    await vi.advanceTimersByTimeAsync(STREAM_LIMITS.heartbeatMs * 2 + 1)
    expect(scene.text.match(/^: $/gm)).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(STREAM_LIMITS.lifetimeMs)
    expect(scene.isEnded).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('ends when its watcher may not see it any longer, and sends nothing more', async () => {
    const { scene, hint } = await watching(new EventStreams(STREAM_LIMITS))
    await settle()
    scene.mayWatch = false
    scene.status = 'paid'
    hint()
    await settle()
    expect([scene.isEnded, eventsIn(scene.text)]).toEqual([true, [{ status: 'pending' }]])
  })

  test('outlives a database that is away for a while', async () => {
    const { scene } = await watching(new EventStreams(STREAM_LIMITS))
    scene.isBroken = true
    await vi.advanceTimersByTimeAsync(STREAM_LIMITS.pollMs + 1)
    expect(scene.errors).toBe(1)
    scene.isBroken = false
    scene.status = 'paid'
    await vi.advanceTimersByTimeAsync(STREAM_LIMITS.pollMs)
    expect(eventsIn(scene.text).at(-1)).toEqual({ status: 'paid' })
  })

  test('leaves nothing behind when its reader goes away', async () => {
    const streams = new EventStreams(STREAM_LIMITS)
    const { readable, listeners } = await watching(streams)
    readable.destroy()
    await settle()
    expect(listeners.size).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
    streams.endAll()
  })
})

describe('streams are counted', () => {
  test('by player and in all, and a place is free again when one ends', async () => {
    const streams = new EventStreams({ ...STREAM_LIMITS, perPlayer: 2, perProcess: 3 })
    const first = await watching(streams, '1')
    await watching(streams, '1')
    expect([streams.isFullFor('1'), streams.isFullFor('2'), streams.isFull()]).toEqual([true, false, false])
    await watching(streams, '2')
    expect(streams.isFull()).toBe(true)
    first.readable.destroy()
    await settle()
    expect([streams.isFullFor('1'), streams.isFull()]).toEqual([false, false])
    streams.endAll()
    await settle()
    expect(vi.getTimerCount()).toBe(0)
  })
})
