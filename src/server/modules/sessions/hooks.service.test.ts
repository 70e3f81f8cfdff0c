import { Writable } from 'node:stream'
import type pino from 'pino'
import { expect, test, vi } from 'vitest'
import { openLog } from '#server/platform/log/log.ts'
import { callLoginHook, callRegisteredHook, type SessionHooks } from './session-opening.service.ts'

const user = { id: '7', username: 'hoangtuan', serverId: '1' }

function aLog() {
  let text = ''
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      text += chunk.toString()
      done()
    },
  })
  return { log: openLog('info', stream as unknown as pino.DestinationStream), text: () => text }
}

const noHooks: SessionHooks = { onRegistered: async () => {}, onLogin: () => {} }

test('both hooks are called with the player', async () => {
  const calls: unknown[] = []
  const hooks: SessionHooks = {
    onRegistered: async (who) => void calls.push(['registered', who]),
    onLogin: (who) => void calls.push(['login', who]),
  }
  const { log } = aLog()
  await callRegisteredHook({ hooks, log, user })
  callLoginHook({ hooks, log, user })
  expect(calls).toEqual([
    ['registered', user],
    ['login', user],
  ])
})

test('a hook that throws, at once or later, is logged and fails nothing', async () => {
  const { log, text } = aLog()
  const atOnce = () => {
    throw new Error('the game is away')
  }
  await callRegisteredHook({ hooks: { ...noHooks, onRegistered: atOnce }, log, user })
  await callRegisteredHook({ hooks: { ...noHooks, onRegistered: async () => atOnce() }, log, user })
  callLoginHook({ hooks: { ...noHooks, onLogin: atOnce }, log, user })
  const events = text()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { event: string; userId: string })
  expect(events.map(({ event, userId }) => [event, userId])).toEqual([
    ['registration.hook-failed', '7'],
    ['registration.hook-failed', '7'],
    ['login.hook-failed', '7'],
  ])
})

test('a hook that never ends holds a registration for two seconds and no longer', async () => {
  vi.useFakeTimers()
  try {
    let isOver = false
    const hooks = { ...noHooks, onRegistered: () => new Promise<void>(() => {}) }
    const called = callRegisteredHook({ hooks, log: aLog().log, user }).then(() => (isOver = true))
    await vi.advanceTimersByTimeAsync(1_999)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await called
    expect(isOver).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})
