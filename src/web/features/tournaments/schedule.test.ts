import { expect, test } from 'vitest'
import type { Tournament } from '#contract/tournaments.ts'
import { championsOf, inOrder, nextDate, waitText } from './schedule.ts'
import { tournament as fields } from './testing/tournament.ts'

const NOW = Date.parse('2026-11-20T00:00:00Z')
const inDays = (days: number) => new Date(NOW + days * 86_400_000).toISOString()

const tournament = (name: string, days: number, change: Partial<Tournament> = {}) =>
  fields({
    name,
    registration_start_at: inDays(days - 10),
    competition_start_at: inDays(days),
    current_round: 0,
    ...change,
  })

test('what comes is first, the soonest before all; then what is played; then what is over, the latest first', () => {
  const ordered = inOrder(
    [
      tournament('far', 40),
      tournament('soon', 5),
      tournament('due', -0.1),
      tournament('played', -2, { current_round: 2 }),
      tournament('played later', -1, { current_round: 1 }),
      tournament('long ago', -90, { current_round: 4, winner: 'Rồng', finished_at: inDays(-90) }),
      tournament('cancelled', -10, { cancelled_at: inDays(-12) }),
      tournament('lately', -5, { current_round: 4, winner: 'Hổ', finished_at: inDays(-5) }),
    ],
    NOW,
  )
  const names = (part: keyof typeof ordered) => ordered[part].map(({ name }) => name)
  expect(names('next')).toEqual(['due', 'soon', 'far'])
  expect(names('running')).toEqual(['played later', 'played'])
  expect(names('past')).toEqual(['lately', 'cancelled', 'long ago'])
})

test('the hall of fame has those that somebody has won, the latest first', () => {
  const champions = championsOf([
    tournament('long ago', -90, { winner: 'Rồng', finished_at: inDays(-90) }),
    tournament('without a champion', -3, { finished_at: inDays(-3) }),
    tournament('lately', -5, { winner: 'Hổ', finished_at: inDays(-4) }),
  ])
  expect(champions.map(({ name, winner, at }) => [name, winner, at])).toEqual([
    ['lately', 'Hổ', inDays(-4)],
    ['long ago', 'Rồng', inDays(-90)],
  ])
})

const announced = fields({
  registration_start_at: '2026-11-20T00:00:00.000Z',
  competition_start_at: '2026-11-25T12:00:00.000Z',
  current_round: 0,
})

const at = (moment: string, change: Partial<Tournament> = {}) =>
  nextDate({ ...announced, ...change }, Date.parse(moment))

test('first everybody waits for the registration, then for the first match, then for nothing', () => {
  expect(at('2026-11-19T23:59:59.000Z')).toEqual({ of: 'registration', left_ms: 1_000 })
  expect(at('2026-11-20T00:00:00.000Z')).toEqual({ of: 'competition', left_ms: 5.5 * 86_400_000 })
  expect(at('2026-11-25T12:00:00.000Z')).toBeNull()
  expect(at('2026-11-21T00:00:00.000Z', { current_round: 1 })).toBeNull()
  expect(
    at('2026-11-30T00:00:00.000Z', { current_round: 5, finished_at: '2026-11-29T00:00:00.000Z' }),
  ).toBeNull()
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
