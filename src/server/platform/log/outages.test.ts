import type pino from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openLog } from './log.ts'
import { markAway, noteSuccess } from './outages.ts'

type Line = {
  level: string
  msg: string
  away?: string
  failures?: number
  seconds?: number
  err?: { stack?: string }
}

let lines: Line[]
const log = openLog('info', {
  write: (text: string) => void lines.push(JSON.parse(text) as Line),
} as pino.DestinationStream)

beforeEach(() => {
  vi.useFakeTimers()
  lines = []
})
afterEach(() => {
  vi.advanceTimersByTime(600_000)
  vi.useRealTimers()
})

let places = 0
const aPlace = () => `PostgreSQL at 10.0.0.${places++}`
const refused = (place: string) =>
  markAway(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), place)
const round = (error: Error, loop = 'deliveries') =>
  log.error({ err: error, loop }, 'a round of a loop failed')

/** Forty loops that fail every second. */
function failFor(seconds: number, place: string): void {
  for (let second = 0; second < seconds; second++) {
    for (let loop = 0; loop < 40; loop++) round(refused(place), `loop ${loop}`)
    vi.advanceTimersByTime(1_000)
  }
}

test('what is away is a line at once, one a minute with a count, and one when it answers again', () => {
  const place = aPlace()
  failFor(150, place)
  expect(lines.map(({ msg }) => msg)).toEqual([
    'a round of a loop failed',
    'it is still away',
    'it is still away',
  ])
  expect(lines.every(({ away, err }) => away === place && err?.stack === undefined)).toBe(true)
  expect(lines[1]).toMatchObject({ level: 'warn', seconds: 60, failures: 2_400 })
  noteSuccess(place)
  expect(lines).toHaveLength(3)
  vi.advanceTimersByTime(5_000)
  noteSuccess(place)
  noteSuccess(place)
  expect(lines.slice(3)).toMatchObject([
    { level: 'info', msg: 'it answers again', away: place, seconds: 149, failures: 6_000 },
  ])
  expect(lines[3]).toHaveProperty(['counted', 'a round of a loop failed: loop 7'])
})

test('a failure of another kind, at another place, or of the program is a line of its own', () => {
  const [place, other] = [aPlace(), aPlace()]
  failFor(3, place)
  round(markAway(Object.assign(new Error('no password'), { code: '28P01' }), place))
  round(refused(other))
  round(new TypeError('x is undefined'), 'a new fault')
  log.error({ err: new Error('a request failed') }, 'a request failed')
  log.error({ err: new Error('a request failed') }, 'a request failed')
  expect(lines.map(({ err }) => (err as { message?: string }).message)).toEqual([
    'connect ECONNREFUSED',
    'no password',
    'connect ECONNREFUSED',
    'x is undefined',
    'a request failed',
    'a request failed',
  ])
  expect(lines.map(({ err }) => err?.stack !== undefined)).toEqual([false, false, false, true, true, true])
})

test('is found behind what was made of it', () => {
  const place = aPlace()
  for (let count = 0; count < 3; count++)
    log.warn({ err: new Error('the game does not answer', { cause: refused(place) }) }, 'x')
  expect(lines).toMatchObject([{ away: place, msg: 'x' }])
})

test('what nobody asks any more is over after a minute, and what comes and goes is one line in twenty seconds', () => {
  const place = aPlace()
  failFor(1, place)
  vi.advanceTimersByTime(66_000)
  expect(lines.map(({ msg }) => msg)).toEqual([
    'a round of a loop failed',
    'nothing has failed there for a minute',
  ])
  for (let time = 0; time < 10; time++) {
    failFor(1, place)
    vi.advanceTimersByTime(5_000)
    noteSuccess(place)
  }
  expect(lines.length).toBeLessThanOrEqual(12)
  vi.advanceTimersByTime(21_000)
  lines = []
  failFor(1, place)
  expect(lines).toHaveLength(1)
})

test('a loop that fails the same way each time is a line with its stack, and then one a minute', () => {
  for (let second = 0; second < 130; second++) {
    round(new TypeError(`row ${second} is undefined`), 'a loop with a fault')
    vi.advanceTimersByTime(1_000)
  }
  expect(lines.map(({ failures, err }) => [failures, err?.stack !== undefined])).toEqual([
    [undefined, true],
    [60, false],
    [60, false],
  ])
})
