import { expect, test } from 'vitest'
import { ENTRIES_MAX, monthStart, ranked, type Candidate } from './ranking.rules.ts'

const a = (name: string, value: number, level: number | null = 1): Candidate => ({
  userId: null,
  serverId: '1',
  name,
  value,
  classId: 1,
  level,
})

test('the highest value comes first; of equals the higher level, then the name; every rank is given once', () => {
  const standing = ranked([a('muc', 5), a('an', 5), a('binh', 9), a('manh', 5, 40), a('khuyet', 5, null)])
  expect(standing.map(({ rank, name }) => `${rank} ${name}`)).toEqual([
    '1 binh',
    '2 manh',
    '3 an',
    '4 muc',
    '5 khuyet',
  ])
})

test('a standing does not depend on the order it came in', () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  const standing = ranked(names.map((name, index) => a(name, index % 2)))
  expect(ranked(names.toReversed().map((name) => a(name, names.indexOf(name) % 2)))).toEqual(standing)
})

test('is cut at its maximum length', () => {
  const many = Array.from({ length: ENTRIES_MAX + 50 }, (_, index) => a(`n${index}`, index))
  const standing = ranked(many)
  expect(standing).toHaveLength(ENTRIES_MAX)
  expect(standing.at(-1)).toMatchObject({ rank: ENTRIES_MAX, value: 50 })
  expect(ranked([])).toEqual([])
})

test.each([
  ['2026-11-20T10:00:00Z', '2026-10-31T17:00:00.000Z'],
  // The last moment of October and the first of November, both in Vietnam.
  ['2026-10-31T16:59:59.999Z', '2026-09-30T17:00:00.000Z'],
  ['2026-10-31T17:00:00Z', '2026-10-31T17:00:00.000Z'],
  ['2026-12-31T20:00:00Z', '2026-12-31T17:00:00.000Z'],
])('at %s the month began at %s', (now, start) => {
  expect(monthStart(new Date(now)).toISOString()).toBe(start)
})
