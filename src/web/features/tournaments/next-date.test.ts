import { expect, test } from 'vitest'
import type { Tournament } from '#contract/tournaments.ts'
import { nextDate, waitText } from './next-date.ts'

const tournament: Tournament = {
  id: '1',
  name: 'Song Đấu Trăng Rằm',
  registration_start_at: '2026-11-20T00:00:00.000Z',
  competition_start_at: '2026-11-25T12:00:00.000Z',
  mode: 0,
  fee: 100,
  type: 1,
  min_level: 40,
  max_level: 200,
  max_round: 4,
  current_round: 0,
  allowed_classes: [1, 2, 3, 4, 5, 6],
  prize: '',
  how_to_register: '',
  team_count: 0,
  winner: null,
  cancelled_at: null,
}

const at = (moment: string, change: Partial<Tournament> = {}) =>
  nextDate({ ...tournament, ...change }, Date.parse(moment))

test('first everybody waits for the registration, then for the first match, then for nothing', () => {
  expect(at('2026-11-19T23:59:59.000Z')).toEqual({ of: 'registration', left_ms: 1_000 })
  expect(at('2026-11-20T00:00:00.000Z')).toEqual({ of: 'competition', left_ms: 5.5 * 86_400_000 })
  expect(at('2026-11-25T12:00:00.000Z')).toBeNull()
  expect(at('2026-11-21T00:00:00.000Z', { current_round: 1 })).toBeNull()
  expect(at('2026-11-30T00:00:00.000Z', { current_round: 5, winner: 'Kiếm Gia' })).toBeNull()
})

test.each([
  [5.5 * 86_400_000, '5 ngày 12:00:00'],
  [86_400_000, '1 ngày 00:00:00'],
  [86_399_000, '23:59:59'],
  [61_000, '00:01:01'],
  [400, '00:00:01'],
  [0, '00:00:00'],
  [-5_000, '00:00:00'],
])('%i ms read %s', (left_ms, text) => {
  expect(waitText(left_ms)).toBe(text)
})
