import { expect, test } from 'vitest'
import { refundReason } from './refunds.rules.ts'

test('a player reads why goods could not be handed over, in words of their own', () => {
  expect(refundReason('bag-full')).toBe('Túi đồ của nhân vật đã đầy.')
})

test('what the game says for its developers stays out of a player’s sight', () => {
  for (const note of ['bad-goods', 'constructor', '<b>500</b>', '', null]) {
    expect(refundReason(note)).toBe('Máy chủ game từ chối nhận hàng.')
  }
})
