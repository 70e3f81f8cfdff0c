import type { Tournament } from '#contract/tournaments.ts'

/** A tournament in its first round. */
export const tournament = (change: Partial<Tournament>): Tournament => ({
  id: '1',
  name: 'Tứ Hùng Trúc Lâm',
  registration_start_at: '2026-11-01T00:00:00.000Z',
  competition_start_at: '2026-11-19T00:00:00.000Z',
  mode: 0,
  fee: 400,
  type: 2,
  min_level: 50,
  max_level: 120,
  max_round: 2,
  current_round: 1,
  allowed_classes: [1],
  class_names: ['Kiếm'],
  prize: '',
  how_to_register: '',
  team_count: 4,
  winner: null,
  cancelled_at: null,
  ...change,
})
