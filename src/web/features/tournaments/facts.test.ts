import { expect, test } from 'vitest'
import { CLASS_NAMES } from '#contract/characters.ts'
import type { Tournament } from '#contract/tournaments.ts'
import { feeText, formatText, namedFeeText } from './tournament-facts.tsx'
import { classesText, modeText, teamsText } from './rules-facts.ts'

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
  [[0, 5], 'Đao, chưa vào trường'],
  [[0], 'chưa vào trường'],
  [[], 'Chưa rõ'],
])('classes %j read %s', (allowed_classes, text) => {
  const class_names = allowed_classes.map((id) => CLASS_NAMES[id] ?? '')
  expect(classesText(with_({ allowed_classes, class_names }))).toBe(text)
})
