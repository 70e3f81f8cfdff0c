import { describe, expect, test } from 'vitest'
import type { Match, Tournament } from '#contract/tournaments.ts'
import { roundsOf, sidesOf } from './bracket.ts'

const match = (round: number, position: number, change: Partial<Match> = {}): Match => ({
  id: String(round * 100 + position),
  round,
  position,
  team1_id: '11',
  team2_id: '12',
  team_one: { team_name: 'Hội Ngói Nâu' },
  team_two: { team_name: 'Huyết Nguyệt' },
  team1_win_count: 0,
  team2_win_count: 0,
  winning_team_id: null,
  ...change,
})

const tournament = (change: Partial<Tournament>): Tournament => ({
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
  team_count: 4,
  winner: null,
  cancelled_at: null,
  ...change,
})

describe('the rounds of a bracket', () => {
  const matches = [match(1, 1), match(1, 2), match(3, 1, { team1_id: null, team_one: null })]

  test('are all there from the draw on, named from the last backwards', () => {
    const rounds = roundsOf(tournament({}), matches)
    expect(rounds.map(({ name, points, matches: { length } }) => [name, points, length])).toEqual([
      ['Bán kết', 3, 2],
      ['Tranh hạng ba', 3, 0],
      ['Chung kết', 5, 1],
    ])
  })

  test('take those who won before, save the one for the third place', () => {
    const rounds = roundsOf(tournament({ max_round: 3 }), matches)
    expect(rounds.filter(({ isForLosers }) => isForLosers).map(({ name }) => name)).toEqual(['Tranh hạng ba'])
  })

  test('of as many teams as come follow from the draw', () => {
    const eight = Array.from({ length: 4 }, (_, index) => match(1, index + 1))
    expect(roundsOf(tournament({ max_round: 0 }), eight).map(({ name }) => name)).toEqual([
      'Tứ kết',
      'Bán kết',
      'Tranh hạng ba',
      'Chung kết',
    ])
  })

  test('are not there before it', () => {
    expect(roundsOf(tournament({ current_round: 0 }), [])).toEqual([])
  })
})

describe('the sides of a match', () => {
  test('know who won', () => {
    const played = match(1, 1, { team1_win_count: 3, team2_win_count: 1, winning_team_id: '11' })
    expect(sidesOf(played)).toEqual([
      { name: 'Hội Ngói Nâu', wins: 3, isWinner: true, isAbsent: false },
      { name: 'Huyết Nguyệt', wins: 1, isWinner: false, isAbsent: false },
    ])
  })

  test('know who did not come: without a game more for either, the loser was absent', () => {
    const walkover = match(1, 1, { winning_team_id: '12' })
    expect(sidesOf(walkover)).toEqual([
      { name: 'Hội Ngói Nâu', wins: 0, isWinner: false, isAbsent: true },
      { name: 'Huyết Nguyệt', wins: 0, isWinner: true, isAbsent: false },
    ])
  })

  test('that are not decided have no name and have not won', () => {
    const open = match(2, 1, { team1_id: null, team_one: null })
    expect(sidesOf(open)[0]).toEqual({ name: null, wins: 0, isWinner: false, isAbsent: false })
  })
})
