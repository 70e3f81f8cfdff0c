import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const HOUR_MS = 3_600_000

let clock: typeof import('./server-clock.ts')
/** The truth, and by how much the device's two clocks are off. */
let true_ms = Date.parse('2027-01-05T03:00:00Z')
let wall_ms = 0
let uptime_ms = 50_000

beforeEach(async () => {
  vi.resetModules()
  vi.spyOn(Date, 'now').mockImplementation(() => true_ms + wall_ms)
  vi.spyOn(performance, 'now').mockImplementation(() => uptime_ms)
  wall_ms = 0
  clock = await import('./server-clock.ts')
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.resetModules()
})

function pass(ms: number, { isAsleep = false } = {}): void {
  true_ms += ms
  if (!isAsleep) uptime_ms += ms
}

/** A call of so many milliseconds that the server answers on half of the way. */
function call(trip_ms: number): void {
  const began_ms = uptime_ms
  pass(trip_ms / 2)
  const headers = new Headers({ 'x-server-time': String(true_ms) })
  pass(trip_ms / 2)
  clock.takeServerTime(headers, began_ms)
}

const wrong_ms = () => Math.abs(clock.serverNow() - true_ms)

test.each([-24 * HOUR_MS, -HOUR_MS, HOUR_MS, 24 * HOUR_MS])(
  'a device whose clock is off by %i ms has the server’s time after a call',
  (off_ms) => {
    wall_ms = off_ms
    expect(wrong_ms()).toBe(Math.abs(off_ms))
    call(200)
    expect(wrong_ms()).toBeLessThan(1)
    pass(HOUR_MS)
    expect(wrong_ms()).toBeLessThan(1)
  },
)

test('setting the device’s clock meanwhile changes nothing', () => {
  call(200)
  wall_ms = -HOUR_MS
  pass(5_000)
  expect(wrong_ms()).toBeLessThan(1)
})

test('a slow call does not spoil what a quick one has told', () => {
  call(40)
  const began_ms = uptime_ms
  const headers = new Headers({ 'x-server-time': String(true_ms) })
  pass(8_000)
  clock.takeServerTime(headers, began_ms)
  expect(wrong_ms()).toBeLessThan(1)
})

test('after the device has slept the next call tells the time, however slow it is', () => {
  call(40)
  pass(HOUR_MS, { isAsleep: true })
  expect(wrong_ms()).toBe(HOUR_MS)
  const changed = vi.fn()
  clock.serverClock.subscribe(changed)
  call(2_000)
  expect(wrong_ms()).toBeLessThan(1)
  expect(changed).toHaveBeenCalledOnce()
})

test('an answer without the time tells nothing', () => {
  clock.takeServerTime(new Headers(), 0)
  expect(clock.isClockKnown()).toBe(false)
})
