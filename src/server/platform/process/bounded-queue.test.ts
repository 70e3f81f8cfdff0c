import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { boundedQueue, FairQueue } from './bounded-queue.ts'

const lineOf = (...keys: string[]) => {
  const line = new FairQueue<string>()
  for (const [index, key] of keys.entries()) line.add(key, `${key}${index}`)
  return line
}

const rest = (line: FairQueue<string>) => Array.from({ length: line.size }, () => line.next())

test('keys are served in turn, those of one key in their order', () => {
  const line = lineOf('a', 'a', 'a', 'b', 'c', 'c')
  expect(line.size).toBe(6)
  expect(rest(line)).toEqual(['a0', 'b3', 'c4', 'a1', 'c5', 'a2'])
  expect(line.next()).toBeUndefined()
})

test('who left is not served', () => {
  const line = lineOf('a', 'a', 'b')
  line.remove('a', 'a0')
  line.remove('a', 'a0')
  line.remove('b', 'b2')
  expect(line.size).toBe(1)
  expect(rest(line)).toEqual(['a1'])
})

test('how many are served before one more is told by what really is', () => {
  for (const keys of ['', 'a', 'aaab', 'abab', 'aabbbbc', 'abc']) {
    for (const key of ['a', 'b', 'z']) {
      const line = lineOf(...keys)
      const ahead = line.aheadOf(key)
      line.add(key, 'the one')
      expect([keys, key, ahead]).toEqual([keys, key, rest(line).indexOf('the one')])
    }
  }
})

test('the last of the longest line makes room for a shorter one, and for none that would be as long', () => {
  const line = lineOf('a', 'a', 'a', 'b')
  expect(line.lastOfLongest('c')).toBe('a2')
  expect(line.lastOfLongest('b')).toBe('a2')
  expect(line.lastOfLongest('a')).toBeUndefined()
  line.add('b', 'b4')
  expect(line.lastOfLongest('b')).toBeUndefined()
  expect(lineOf().lastOfLongest('a')).toBeUndefined()
})

test('never more run at once than there are places, and each is served in its turn', async () => {
  const queued = boundedQueue({
    runningMax: 3,
    waitingMax: 100,
    waitMsMax: 10_000,
    refusal: () => new Error('full'),
  })
  let running = 0
  let most = 0
  const served: number[] = []
  await Promise.all(
    Array.from({ length: 40 }, (_, number) =>
      queued(async () => {
        most = Math.max(most, ++running)
        await sleep(2)
        running--
        served.push(number)
      }),
    ),
  )
  expect(most).toBe(3)
  expect(served).toEqual([...served].sort((one, other) => one - other))
  expect(served).toHaveLength(40)
})

test('work that fails leaves its place to the next', async () => {
  const queued = boundedQueue({
    runningMax: 1,
    waitingMax: 1,
    waitMsMax: 1_000,
    refusal: () => new Error('full'),
  })
  const outcomes = await Promise.allSettled([
    queued(() => Promise.reject(new Error('broken'))),
    queued(async () => 'served'),
    queued(async () => 'one too many'),
  ])
  expect(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message)),
  ).toEqual(['broken', 'served', 'full'])
})

test('who has waited too long is told so, and is not served afterwards', async () => {
  const queued = boundedQueue({
    runningMax: 1,
    waitingMax: 1,
    waitMsMax: 20,
    refusal: () => new Error('too long'),
  })
  const first = Promise.withResolvers<void>()
  const busy = queued(() => first.promise)
  const served: string[] = []
  const told = queued(async () => served.push('late')).then(
    () => 'served',
    (error: Error) => error.message,
  )
  expect(await Promise.race([told, sleep(500, 'told nothing')])).toBe('too long')
  first.resolve()
  await busy
  expect(await queued(async () => 'next')).toBe('next')
  expect(served).toEqual([])
})

const onePlace = (more: { waitingMax: number; waitMsMax: number }) =>
  boundedQueue({ runningMax: 1, refusal: (seconds) => new Error(`in ${seconds} s`), ...more })

const toldBy = (asked: Promise<unknown>) =>
  asked.then(
    () => 'served',
    (error: Error) => error.message,
  )

test('one who asks alone is served before all but the next of one who asks twenty times', async () => {
  const queued = onePlace({ waitingMax: 100, waitMsMax: 10_000 })
  const served: string[] = []
  const asked = (key: string) =>
    queued(async () => {
      await sleep(1)
      served.push(key)
    }, key)
  await Promise.all([...Array.from({ length: 20 }, () => asked('many')), asked('alone')])
  expect(served.indexOf('alone')).toBeLessThanOrEqual(2)
  expect(served).toHaveLength(21)
})

test('a full line refuses the last of whoever has the most in it, and nobody who has less', async () => {
  const queued = onePlace({ waitingMax: 3, waitMsMax: 10_000 })
  const busy = Promise.withResolvers<void>()
  const asked = ['first', 'many', 'many', 'many', 'alone', 'many', 'other'].map((key) =>
    toldBy(queued(() => busy.promise, key)),
  )
  busy.resolve()
  const told = await Promise.all(asked)
  expect(told).toEqual(['served', 'served', 'in 2 s', 'in 2 s', 'served', 'in 2 s', 'served'])
})

test('who would wait too long, by the time that work takes, is refused at once and told when to come back', async () => {
  const queued = onePlace({ waitingMax: 1_000, waitMsMax: 500 })
  // So far nobody knows how long it takes.
  await queued(() => sleep(200))
  const told: string[] = []
  const asked = Array.from({ length: 6 }, () =>
    toldBy(queued(() => sleep(200))).then((outcome) => {
      told.push(outcome)
      return outcome
    }),
  )
  const [first] = await Promise.all(asked)
  expect(first).toBe('served')
  // Told before any work has ended, thus at once.
  const atOnce = told.slice(0, told.indexOf('served'))
  expect(atOnce.length).toBeGreaterThanOrEqual(3)
  expect(new Set(atOnce)).toEqual(new Set(['in 2 s']))
})
