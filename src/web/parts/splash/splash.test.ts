import { afterEach, expect, test, vi } from 'vitest'
import { isGreetingDue, mayGreet, rememberGreeting } from './splash.tsx'

const NOW_MS = 1_800_000_000_000
const INTERVAL_MS = 432_000_000

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test.each([
  [null, true],
  ['', true],
  ['hôm qua', true],
  ['-5', true],
  [String(NOW_MS), false],
  [String(NOW_MS - INTERVAL_MS), false],
  [String(NOW_MS - INTERVAL_MS - 1), true],
])('after %j a greeting is due: %s', (stored, isDue) => {
  expect(isGreetingDue(stored, NOW_MS)).toBe(isDue)
})

test('the moment of closing is stored as decimal milliseconds', () => {
  const stored = new Map<string, string>()
  vi.useFakeTimers({ now: NOW_MS })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
  expect(mayGreet()).toBe(true)
  rememberGreeting()
  expect(stored.get('lastSeenHello')).toBe('1800000000000')
  expect(mayGreet()).toBe(false)
})

test('a browser that forbids its storage is left in peace', () => {
  const refuse = () => {
    throw new Error('denied')
  }
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse })
  expect(mayGreet()).toBe(false)
  expect(rememberGreeting).not.toThrow()
})
