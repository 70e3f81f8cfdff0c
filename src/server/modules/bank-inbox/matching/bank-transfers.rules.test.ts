import { describe, expect, test } from 'vitest'
import { momentOf, personsIn } from './bank-transfers.rules.ts'

describe('a moment in a filter', () => {
  test.each([
    ['2026-11-21', false, '2026-11-20T17:00:00.000Z'],
    ['2026-11-21', true, '2026-11-21T17:00:00.000Z'],
    ['2026-11-21T10:00:00+07:00', true, '2026-11-21T03:00:00.000Z'],
    ['2026-11-21T03:00Z', false, '2026-11-21T03:00:00.000Z'],
  ])('%s (end: %s) is %s', (text, isEnd, expected) => {
    expect(momentOf(text, isEnd)?.toISOString()).toBe(expected)
  })

  test.each([
    '',
    'hôm qua',
    '2026-02-31',
    '2026-13-01',
    '2026-11-21T25:00:00Z',
    '2026-11-21 10:00',
    '20261121',
  ])('%o is none', (text) => {
    expect(momentOf(text, false)).toBeNull()
  })
})

describe('whom a text names', () => {
  test('words that could be a username, in small letters, and phones in their canonical form', () => {
    const { usernames, phones } = personsIn([
      '311447.15330734312-0901234567-nap cho TuanNinja',
      'SDT +84912345678',
    ])
    expect(usernames).toContain('tuanninja')
    expect(usernames).not.toContain('nap')
    expect(phones).toEqual(['84901234567', '84912345678'])
  })

  test('digits within a longer number are no phone', () => {
    expect(personsIn(['19009012345678', '09012345678']).phones).toEqual([])
  })

  test('however long it is, few words are looked for', () => {
    const text = Array.from({ length: 5_000 }, (_, n) => `nguoi${n} 0901${String(n).padStart(6, '0')}`).join(
      ' ',
    )
    const { usernames, phones } = personsIn([text, text.slice(300), text.slice(5_000)])
    expect(Math.max(usernames.length, phones.length)).toBeLessThanOrEqual(60)
  })
})
