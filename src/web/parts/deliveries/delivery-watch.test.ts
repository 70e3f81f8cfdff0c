import { expect, test } from 'vitest'
import { nextPoll_ms } from './delivery-watch.ts'

test('an open delivery is looked at after 1, 2 and 4 seconds, then every ten', () => {
  const looks: number[] = []
  let since_ms = 0
  for (let look = 0; look < 5; look += 1) {
    const wait_ms = nextPoll_ms(since_ms)
    looks.push(wait_ms)
    since_ms += wait_ms
  }
  expect(looks).toEqual([1_000, 2_000, 4_000, 10_000, 10_000])
})

test('a delivery bought long ago is not asked for more often than every ten seconds', () => {
  expect(nextPoll_ms(3_600_000)).toBe(10_000)
})
