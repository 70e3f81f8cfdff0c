import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { boundedQueue, FairQueue } from './bounded-queue.ts'

const queueOf = (...keys: string[]) => {
  const queue = new FairQueue<string>()
  for (const [index, key] of keys.entries()) queue.add(key, `${key}${index}`)
  return queue
}

const rest = (queue: FairQueue<string>) => Array.from({ length: queue.size }, () => queue.next())

test('keys are served in turn, those of one key in their order', () => {
  const queue = queueOf('a', 'a', 'a', 'b', 'c', 'c')
  expect(queue.size).toBe(6)
  expect(rest(queue)).toEqual(['a0', 'b3', 'c4', 'a1', 'c5', 'a2'])
  expect(queue.next()).toBeUndefined()
})

test('who left is not served', () => {
  const queue = queueOf('a', 'a', 'b')
  queue.remove('a', 'a0')
  queue.remove('a', 'a0')
  queue.remove('b', 'b2')
  expect(queue.size).toBe(1)
  expect(rest(queue)).toEqual(['a1'])
})

test('how many are served before one more is the number that really is', () => {
  for (const keys of ['', 'a', 'aaab', 'abab', 'aabbbbc', 'abc']) {
    for (const key of ['a', 'b', 'z']) {
      const queue = queueOf(...keys)
      const ahead = queue.aheadOf(key)
      queue.add(key, 'the one')
      expect([keys, key, ahead]).toEqual([keys, key, rest(queue).indexOf('the one')])
    }
  }
})

test('the last of the longest queue makes room for a shorter one, and for none that would be as long', () => {
  const queue = queueOf('a', 'a', 'a', 'b')
  expect(queue.lastOfLongest('c')).toBe('a2')
  expect(queue.lastOfLongest('b')).toBe('a2')
  expect(queue.lastOfLongest('a')).toBeUndefined()
  queue.add('b', 'b4')
  expect(queue.lastOfLongest('b')).toBeUndefined()
  expect(queueOf().lastOfLongest('a')).toBeUndefined()
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

test('who has waited too long is refused, and is not served afterwards', async () => {
  const queued = boundedQueue({
    runningMax: 1,
    waitingMax: 1,
    waitMsMax: 20,
    refusal: () => new Error('too long'),
  })
  const first = Promise.withResolvers<void>()
  const busy = queued(() => first.promise)
  const served: string[] = []
  const outcome = queued(async () => served.push('late')).then(
    () => 'served',
    (error: Error) => error.message,
  )
  expect(await Promise.race([outcome, sleep(500, 'no answer')])).toBe('too long')
  first.resolve()
  await busy
  expect(await queued(async () => 'next')).toBe('next')
  expect(served).toEqual([])
})

const onePlace = (more: { waitingMax: number; waitMsMax: number }) =>
  boundedQueue({ runningMax: 1, refusal: (seconds) => new Error(`in ${seconds} s`), ...more })

const outcomeOf = (requested: Promise<unknown>) =>
  requested.then(
    () => 'served',
    (error: Error) => error.message,
  )

test('a single request is served before all but the next of twenty from one client', async () => {
  const queued = onePlace({ waitingMax: 100, waitMsMax: 10_000 })
  const served: string[] = []
  const requested = (key: string) =>
    queued(async () => {
      await sleep(1)
      served.push(key)
    }, key)
  await Promise.all([...Array.from({ length: 20 }, () => requested('many')), requested('alone')])
  expect(served.indexOf('alone')).toBeLessThanOrEqual(2)
  expect(served).toHaveLength(21)
})

test('a full queue refuses the last of whoever has the most in it, and nobody who has less', async () => {
  const queued = onePlace({ waitingMax: 3, waitMsMax: 10_000 })
  const busy = Promise.withResolvers<void>()
  const requested = ['first', 'many', 'many', 'many', 'alone', 'many', 'other'].map((key) =>
    outcomeOf(queued(() => busy.promise, key)),
  )
  busy.resolve()
  const outcomes = await Promise.all(requested)
  expect(outcomes).toEqual(['served', 'served', 'in 2 s', 'in 2 s', 'served', 'in 2 s', 'served'])
})

test('who would wait too long, by the time that work takes, is refused at once, with the time to come back', async () => {
  const queued = onePlace({ waitingMax: 1_000, waitMsMax: 500 })
  // So far nobody knows how long it takes.
  await queued(() => sleep(200))
  const outcomes: string[] = []
  const requested = Array.from({ length: 6 }, () =>
    outcomeOf(queued(() => sleep(200))).then((outcome) => {
      outcomes.push(outcome)
      return outcome
    }),
  )
  const [first] = await Promise.all(requested)
  expect(first).toBe('served')
  // Refused before any work has ended, thus at once.
  const atOnce = outcomes.slice(0, outcomes.indexOf('served'))
  expect(atOnce.length).toBeGreaterThanOrEqual(3)
  expect(new Set(atOnce)).toEqual(new Set(['in 2 s']))
})
