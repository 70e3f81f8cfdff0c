import { expect, test } from 'vitest'
import { ORDINARY, POSING } from './testing/player-names.ts'
import { isStaffName } from './usernames.rules.ts'

const SITES = ['Tinh Hoa Đảo Ninja', 'Cổng Ninja', '忍者']

test('names that pose as staff or as the house are refused, in whatever spelling', () => {
  expect(POSING.length).toBeGreaterThanOrEqual(60)
  const names = POSING.flatMap((name) => [name, name.toUpperCase()])
  expect(names.filter((name) => !isStaffName(name, 'Tinh Hoa Đảo Ninja'))).toEqual([])
})

test('ordinary names of players are free', () => {
  expect(new Set(ORDINARY).size).toBeGreaterThanOrEqual(150)
  for (const site of SITES) expect(ORDINARY.filter((name) => isStaffName(name, site))).toEqual([])
})

test('the name of the house stays free elsewhere', () => {
  expect(isStaffName('tinhhoadaoninja7', 'Khác')).toBe(false)
})

test('a short name of the house is its own, and what begins with it is anybody’s', () => {
  const isTaken = (name: string) => isStaffName(name, 'Ninja')
  expect(['ninja', 'NINJA99', 'n1nja'].map(isTaken)).toEqual([true, true, true])
  expect(isTaken('ninjabao')).toBe(false)
})
