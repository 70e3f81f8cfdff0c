import { describe, expect, test } from 'vitest'
import {
  drawnMaxRound,
  maxTeams,
  roundCount,
  roundName,
  roundPoints,
  tournamentPhase,
} from './tournament-rules.ts'

const roundsOf = (maxRound: number) =>
  Array.from({ length: roundCount(maxRound) }, (_, index) => {
    const round = index + 1
    return `${roundName(round, maxRound)} ${roundPoints(round, maxRound)}`
  })

describe('rounds', () => {
  test('are named and given points from the last backwards', () => {
    expect(roundsOf(6)).toEqual([
      'Vòng loại 1 1',
      'Vòng loại 2 1',
      'Vòng loại 3 1',
      'Tứ kết 3',
      'Bán kết 3',
      'Tranh hạng ba 3',
      'Chung kết 5',
    ])
    expect(roundsOf(4)).toEqual(['Vòng loại 1 1', 'Tứ kết 3', 'Bán kết 3', 'Tranh hạng ba 3', 'Chung kết 5'])
    expect(roundsOf(3)).toEqual(['Tứ kết 3', 'Bán kết 3', 'Tranh hạng ba 3', 'Chung kết 5'])
    expect(roundsOf(2)).toEqual(['Bán kết 3', 'Tranh hạng ba 3', 'Chung kết 5'])
    expect(roundsOf(0)).toEqual(['Chung kết 5'])
  })

  test('one more than max_round, for 2^max_round teams; 0 means as many as come', () => {
    expect([1, 3, 4, 10].map(maxTeams)).toEqual([2, 8, 16, 1_024])
    expect(maxTeams(0)).toBeNull()
    expect([0, 1, 4].map(roundCount)).toEqual([1, 2, 5])
  })

  test('of an unlimited tournament follow from its draw', () => {
    const draw = (count: number) => Array.from({ length: count }, () => ({ round: 1 }))
    expect([0, 1, 2, 3, 4, 5, 8, 9].map((count) => drawnMaxRound(0, draw(count)))).toEqual([
      0, 1, 2, 3, 3, 4, 4, 5,
    ])
    expect(drawnMaxRound(0, [{ round: 2 }, { round: 1 }, { round: 1 }])).toBe(2)
    expect(drawnMaxRound(5, draw(3))).toBe(5)
  })
})

describe('the phase of a tournament', () => {
  const dates = {
    registration_start_at: '2026-11-10T12:00:00.000Z',
    competition_start_at: '2026-11-20T12:00:00.000Z',
  }
  type Played = { current_round?: number; winner?: string; cancelled_at?: string }
  const at = (now: string, played: Played = {}) =>
    tournamentPhase(
      { ...dates, current_round: 0, winner: null, cancelled_at: null, ...played },
      new Date(now),
    )

  test.each([
    ['2026-11-10T11:59:59.999Z', {}, 'announced'],
    ['2026-11-10T12:00:00.000Z', {}, 'registering'],
    ['2026-11-20T11:59:59.999Z', {}, 'registering'],
    ['2026-11-20T12:00:00.000Z', {}, 'drawing'],
    ['2026-11-20T12:00:00.000Z', { current_round: 1 }, 'running'],
    // Drawn before its day.
    ['2026-11-19T12:00:00.000Z', { current_round: 1 }, 'running'],
    ['2026-11-21T12:00:00.000Z', { current_round: 5, winner: 'Bạch Vân' }, 'finished'],
    ['2026-11-20T12:00:00.000Z', { current_round: 2, cancelled_at: '2026-11-20T11:00:00.000Z' }, 'cancelled'],
  ] as const)('at %s with %j is %s', (now, played, phase) => {
    expect(at(now, played)).toBe(phase)
  })
})
