import { expect, test } from 'vitest'
import type { Tournament } from '#contract/tournaments.ts'
import { feeText, formatText, namedFeeText } from './tournament-facts.ts'

const with_ = (change: Partial<Tournament>) => change as Tournament

test.each([
  [1, 'Đấu tay đôi'],
  [2, 'Nhóm 4 người'],
  [3, 'Nhóm 5 người'],
  [4, 'Nhóm 6 người'],
  [9, 'Chưa rõ'],
])('format %i is %s', (type, text) => {
  expect(formatText(with_({ type }))).toBe(text)
})

test('fees are put in words', () => {
  expect(feeText(with_({ fee: 0 }))).toBe('Miễn phí')
  expect(feeText(with_({ fee: 1_200 }))).toBe('1,200 lượng')
  expect(namedFeeText(with_({ fee: 1_200 }))).toBe('Lệ phí 1,200 lượng')
  expect(namedFeeText(with_({ fee: 0 }))).toBe('Miễn phí')
})
