import { expect, test } from 'vitest'
import type { Tournament } from '#contract/tournaments.ts'
import { inOrder } from './in-order.ts'

const NOW = Date.parse('2026-11-20T00:00:00Z')
const inDays = (days: number) => new Date(NOW + days * 86_400_000).toISOString()

const tournament = (name: string, days: number, change: Partial<Tournament> = {}) =>
  ({
    name,
    registration_start_at: inDays(days - 10),
    competition_start_at: inDays(days),
    current_round: 0,
    winner: null,
    cancelled_at: null,
    ...change,
  }) as Tournament

test('what comes is first, the soonest before all; then what is played; then what is over, the latest first', () => {
  const ordered = inOrder(
    [
      tournament('far', 40),
      tournament('soon', 5),
      tournament('due', -0.1),
      tournament('played', -2, { current_round: 2 }),
      tournament('played later', -1, { current_round: 1 }),
      tournament('long ago', -90, { current_round: 4, winner: 'Rồng' }),
      tournament('cancelled', -10, { cancelled_at: inDays(-12) }),
      tournament('lately', -5, { current_round: 4, winner: 'Hổ' }),
    ],
    NOW,
  )
  const names = (part: keyof typeof ordered) => ordered[part].map(({ name }) => name)
  expect(names('next')).toEqual(['due', 'soon', 'far'])
  expect(names('running')).toEqual(['played later', 'played'])
  expect(names('past')).toEqual(['lately', 'cancelled', 'long ago'])
})
