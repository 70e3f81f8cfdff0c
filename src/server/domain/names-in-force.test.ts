import { expect, test } from 'vitest'
import { CLASS_NAMES } from '#contract/characters.ts'
import { inForce, isUsualName, type NamedCode } from './names-in-force.rules.ts'

const named = (code: string, name: string, short_name: string | null = null): NamedCode => ({
  kind: 'class',
  code,
  name,
  short_name,
})

test.each([
  [named('1', 'Kiếm'), true],
  [named('2', 'Phi tiêu', 'Tiêu'), true],
  [named('2', 'Phi tiêu'), false],
  [named('1', 'Kiếm', 'K'), false],
  [named('2', 'Kiếm'), false],
  [named('99', 'Kiếm'), false],
  [{ ...named('1', 'Kiếm'), kind: 'head' }, false],
])('%o: the portal came with it: %s', (name, isUsual) => expect(isUsualName(name)).toBe(isUsual))

test('an operator’s name goes before the game’s own, and that before what the portal came with', () => {
  const stored = [
    named('0', 'Lính mới'),
    ...CLASS_NAMES.map((name, code) => named(String(code), name)).slice(3),
  ]
  const told = [named('0', 'Trái Đất'), named('3', 'Namek'), named('7', 'Xayda')]
  const last = new Map(inForce(stored, told).map(({ code, name }) => [code, name]))
  expect(['0', '3', '4', '7'].map((code) => last.get(code))).toEqual(['Lính mới', 'Namek', 'Cung', 'Xayda'])
})

test('a game that calls a class as the portal does takes no short name away', () => {
  const names = inForce([named('2', 'Phi tiêu', 'Tiêu')], [named('2', 'Phi tiêu')])
  expect(names).toEqual([named('2', 'Phi tiêu', 'Tiêu')])
})
