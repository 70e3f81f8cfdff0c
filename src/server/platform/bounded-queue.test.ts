import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { boundedQueue } from './bounded-queue.ts'

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
