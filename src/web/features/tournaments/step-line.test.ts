import { expect, test } from 'vitest'
import type { Tournament } from '#contract/tournaments.ts'
import { tournament } from './testing/tournament.ts'
import type { Round } from './bracket.ts'
import { stepsOf } from './poster.tsx'

const DATES = {
  registration_start_at: '2026-11-10T00:00:00.000Z',
  competition_start_at: '2026-11-20T00:00:00.000Z',
  current_round: 0,
}

const final = (winning_team_id: string | null) => ({
  team1_id: '1',
  team2_id: '2',
  team_one: { team_name: 'Rồng' },
  team_two: { team_name: 'Hổ' },
  team1_win_count: winning_team_id ? 5 : 0,
  team2_win_count: 0,
  winning_team_id,
})

const rounds = (winner: string | null) =>
  [
    { round: 1, matches: [] },
    { round: 3, matches: [final(winner)] },
  ] as unknown as Round[]

const states = (change: Partial<Tournament>, moment: string, rounds: readonly Round[]) =>
  stepsOf(tournament({ ...DATES, ...change }), rounds, Date.parse(moment))
    .map(({ state }) => state)
    .join(' ')

const day = (of: number) => `2026-11-${String(of).padStart(2, '0')}T00:00:00.000Z`

test.each([
  ['before the registration', () => states({}, day(9), []), 'next next next next'],
  ['while teams register', () => states({}, day(10), []), 'now next next next'],
  ['on its day before the draw', () => states({}, day(20), []), 'done now next next'],
  ['in an early round', () => states({ current_round: 1 }, day(20), rounds(null)), 'done done now next'],
  ['in the final', () => states({ current_round: 3 }, day(20), rounds(null)), 'done done done now'],
  ['after the final', () => states({ current_round: 3 }, day(20), rounds('1')), 'done done done done'],
  [
    'when it is closed',
    () => states({ current_round: 3, winner: 'Rồng', finished_at: day(20) }, day(21), rounds('1')),
    'done done done done',
  ],
  ['when it was cancelled', () => states({ cancelled_at: day(12) }, day(13), []), 'next next next next'],
])('the steps %s', (_, find, expected) => {
  expect(find()).toBe(expected)
})
