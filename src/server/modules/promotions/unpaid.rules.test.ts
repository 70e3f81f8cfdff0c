import { expect, test } from 'vitest'
import { roomToHold } from './unpaid.rules.ts'

const free = (left: number) => ({ left, held: 0, own: 0 })

test.each([
  ['one player holds a tenth at first', free(100_000), free(1_000_000), 10_000],
  ['of the promotion or of the budget, whichever is less', free(100_000), free(50_000), 5_000],
  ['what the player holds already counts', { left: 92_000, held: 8_000, own: 8_000 }, free(1_000_000), 2_000],
  ['half is held together at most', { left: 52_000, held: 48_000, own: 0 }, free(1_000_000), 2_000],
  ['nothing more above the half', { left: 20_000, held: 48_000, own: 0 }, free(1_000_000), 0],
  ['nothing of nothing', free(0), free(0), 0],
  ['fractions are left out', free(99), free(99), 9],
])('%s', (_, promotion, budget, room) => {
  expect(roomToHold({ promotion, budget })).toBe(room)
})
