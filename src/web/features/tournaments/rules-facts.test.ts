import { expect, test } from 'vitest'
import type { Tournament } from '#contract/tournaments.ts'
import { classesText, modeText, teamsText } from './rules-facts.ts'

const with_ = (change: Partial<Tournament>) => change as Tournament

test('modes and the number of teams are put in words', () => {
  expect(modeText(with_({ mode: 0 }))).toBe('Bốc thăm phát trực tiếp')
  expect(modeText(with_({ mode: 1 }))).toBe('Công bố bảng đấu trong ngày thi đấu')
  expect(teamsText(with_({ max_round: 0 }))).toBe('Không giới hạn')
  expect(teamsText(with_({ max_round: 4 }))).toBe('16 đội')
})

test.each([
  [[1, 5], 'Kiếm, Đao'],
  [[1, 2, 3, 4, 5, 6], 'Tất cả các trường'],
  [[0, 1, 2, 3, 4, 5, 6], 'Tất cả, kể cả người chưa vào trường'],
  [[0], 'chưa vào trường'],
  [[], 'Chưa rõ'],
])('classes %j read %s', (allowed_classes, text) => {
  expect(classesText(with_({ allowed_classes }))).toBe(text)
})
