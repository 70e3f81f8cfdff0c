import { expect, test } from 'vitest'
import { nicknameKey } from '#contract/ranking.ts'
import { boundsOf } from './ranking.rules.ts'

test.each([
  ['month', '2026-11-20T10:00:00Z', '2026-10-31T17:00:00.000Z'],
  // The last moment of October and the first of November, both in Vietnam.
  ['month', '2026-10-31T16:59:59.999Z', '2026-09-30T17:00:00.000Z'],
  ['month', '2026-10-31T17:00:00Z', '2026-10-31T17:00:00.000Z'],
  ['month', '2026-12-31T20:00:00Z', '2026-12-31T17:00:00.000Z'],
  // A Friday, and the last moment of a Sunday and the first of a Monday in Vietnam.
  ['week', '2026-11-20T10:00:00Z', '2026-11-15T17:00:00.000Z'],
  ['week', '2026-11-22T16:59:59.999Z', '2026-11-15T17:00:00.000Z'],
  ['week', '2026-11-22T17:00:00Z', '2026-11-22T17:00:00.000Z'],
] as const)('a %s at %s began at %s and goes on', (period, now, since) => {
  const bounds = boundsOf({ period, startsOn: null, endsOn: null }, new Date(now))
  expect(bounds).toEqual({ since: new Date(since), until: null })
})

test('days count from the beginning of the first to the end of the last, in Vietnam', () => {
  const days = { period: 'dates', startsOn: '2026-11-01', endsOn: '2026-11-30' } as const
  expect(boundsOf(days, new Date())).toEqual({
    since: new Date('2026-10-31T17:00:00Z'),
    until: new Date('2026-11-30T17:00:00Z'),
  })
})

test.each([
  ['Rồng Lửa', 'ronglua'],
  ['ĐẠI GIA 99', 'daigia99'],
  ['Phượng', 'phuong'],
  ['Phươ\u0323ng', 'phuong'],
])('the nickname %s is compared as %s', (nickname, key) => {
  expect(nicknameKey(nickname)).toBe(key)
})

test.each([
  'hai  dấu cách',
  'a.b.c',
  '<b>dam</b>',
  'Ронг',
  'рong',
  'rồng🐉',
  ' rong',
  'ro\u200bng',
  'Ω',
  'Ong\u0334',
])(
  'the nickname %j is refused: it has more than letters of Vietnamese, digits and single blanks',
  (nickname) => {
    expect(nicknameKey(nickname)).toBeNull()
  },
)
