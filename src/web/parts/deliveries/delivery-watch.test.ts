import { expect, test } from 'vitest'
import { nextPoll_ms } from './delivery-watch.ts'

test('an open delivery is read after 1, 2 and 4 seconds, then every ten', () => {
  const waits: number[] = []
  let since_ms = 0
  for (let read = 0; read < 5; read += 1) {
    const wait_ms = nextPoll_ms(since_ms)
    waits.push(wait_ms)
    since_ms += wait_ms
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 10_000, 10_000])
})

test('a delivery bought long ago is not read more often than every ten seconds', () => {
  expect(nextPoll_ms(3_600_000)).toBe(10_000)
})
