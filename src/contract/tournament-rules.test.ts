import { describe, expect, test } from 'vitest'
import { tournamentPhase } from './tournament-phase.ts'
import {
  drawnMaxRound,
  maxTeams,
  roundCount,
  roundName,
  roundPoints,
  drawPublicAt,
  revealedTeams,
} from './tournament-rules.ts'
import { standingAfter } from './tournament-standing.ts'

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

test.each([
  [4, true, true, 'champion'],
  [4, true, false, 'second'],
  [3, true, true, 'third'],
  [3, true, false, 'fourth'],
  // Who loses a semi-final has a match for the third place, which is then the last one.
  [2, true, true, 'next'],
  [1, true, false, 'out'],
  [1, true, true, 'next'],
  [4, false, false, 'next'],
])('after round %i of four, decided: %s, won: %s, a team is %s', (round, isDecided, isWon, standing) => {
  expect(standingAfter({ round, isDecided, isWon }, 3)).toBe(standing)
})

describe('the phase of a tournament', () => {
  const dates = {
    registration_start_at: '2026-11-10T12:00:00.000Z',
    competition_start_at: '2026-11-20T12:00:00.000Z',
  }
  type Played = {
    opened_at?: string
    closed_at?: string
    current_round?: number
    drawn_at?: string
    draw_public_at?: string
    finished_at?: string
    cancelled_at?: string
  }
  const DRAWN = { current_round: 1, drawn_at: '2026-11-20T11:59:00.000Z' }
  const at = (now: string, played: Played = {}) =>
    tournamentPhase(
      {
        ...dates,
        opened_at: null,
        closed_at: null,
        current_round: 0,
        drawn_at: null,
        draw_public_at: null,
        finished_at: null,
        cancelled_at: null,
        ...played,
      },
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
    // By an act of the referee.
    ['2026-11-09T12:00:00.000Z', { opened_at: '2026-11-09T11:00:00.000Z' }, 'registering'],
    ['2026-11-19T12:00:00.000Z', { closed_at: '2026-11-19T11:00:00.000Z' }, 'drawing'],
    // Drawn, and not public yet.
    ['2026-11-20T12:00:00.000Z', { current_round: 1, drawn_at: '2026-11-20T11:59:00.000Z' }, 'drawing'],
    ['2026-11-20T12:00:00.000Z', { ...DRAWN, draw_public_at: '2026-11-20T12:00:00.001Z' }, 'drawing'],
    ['2026-11-20T12:00:00.000Z', { ...DRAWN, draw_public_at: '2026-11-20T12:00:00.000Z' }, 'running'],
    ['2026-11-21T12:00:00.000Z', { current_round: 5, finished_at: '2026-11-21T11:00:00.000Z' }, 'finished'],
    ['2026-11-20T12:00:00.000Z', { current_round: 2, cancelled_at: '2026-11-20T11:00:00.000Z' }, 'cancelled'],
  ] as const)('at %s with %j is %s', (now, played, phase) => {
    expect(at(now, played)).toBe(phase)
  })
})

describe('a draw is shown', () => {
  const drawnAt = new Date('2026-11-20T12:00:00.000Z')
  const after = (seconds: number) => new Date(drawnAt.getTime() + seconds * 1_000)
  const live = { mode: 0, teams: 5, revealed: 2, revealFrom: null, drawnAt }

  test('team by team by the button', () => {
    expect(revealedTeams(live, after(60))).toBe(2)
    expect(drawPublicAt(live)).toBeNull()
    expect(drawPublicAt({ ...live, revealed: 5, revealFrom: after(9) })).toEqual(after(9))
  })

  test('one each three seconds with the beat', () => {
    const beating = { ...live, revealFrom: after(10) }
    expect([9, 10, 12, 13, 16, 60].map((seconds) => revealedTeams(beating, after(seconds)))).toEqual([
      2, 3, 3, 4, 5, 5,
    ])
    expect(drawPublicAt(beating)).toEqual(after(16))
  })

  test('all at once at its hour where it is not live', () => {
    const planned = { ...live, mode: 1, revealed: 0, revealFrom: after(10) }
    expect([9, 10].map((seconds) => revealedTeams(planned, after(seconds)))).toEqual([0, 5])
    expect(drawPublicAt(planned)).toEqual(after(10))
    expect(drawPublicAt({ ...planned, drawnAt: null })).toBeNull()
  })
})
