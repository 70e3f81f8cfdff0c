import { describe, expect, test } from 'vitest'
import type { Match } from '#contract/tournaments.ts'
import { aMatch } from '#tests/support/tournaments.ts'
import { championOf, firstShown, matchState, roundsOf, sidesOf, trailOf } from './bracket.ts'
import { tournament } from './testing/tournament.ts'

const match = (round: number, position: number, change: Partial<Match> = {}) =>
  aMatch(String(round * 100 + position), {
    round,
    position,
    team1_id: '11',
    team2_id: '12',
    team_one: { team_name: 'Hội Ngói Nâu' },
    team_two: { team_name: 'Huyết Nguyệt' },
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

  test('of two teams are the final alone: nobody plays for the third place', () => {
    const rounds = roundsOf(tournament({ max_round: 1, current_round: 2 }), [match(2, 1)])
    expect(rounds.map(({ name }) => name)).toEqual(['Chung kết'])
  })

  test('are not there before it', () => {
    expect(roundsOf(tournament({ current_round: 0 }), [])).toEqual([])
  })
})

describe('the sides of a match', () => {
  test('know who won', () => {
    const played = match(1, 1, { team1_win_count: 3, team2_win_count: 1, winning_team_id: '11' })
    expect(sidesOf(played)).toEqual([
      { id: '11', name: 'Hội Ngói Nâu', wins: 3, isWinner: true, isAbsent: false },
      { id: '12', name: 'Huyết Nguyệt', wins: 1, isWinner: false, isAbsent: false },
    ])
  })

  test('know who did not come: without a game more for either, the loser was absent', () => {
    const walkover = match(1, 1, { winning_team_id: '12' })
    expect(sidesOf(walkover)).toEqual([
      { id: '11', name: 'Hội Ngói Nâu', wins: 0, isWinner: false, isAbsent: true },
      { id: '12', name: 'Huyết Nguyệt', wins: 0, isWinner: true, isAbsent: false },
    ])
  })

  test('know who did not come beside games that were won', () => {
    const left = match(1, 1, { team1_win_count: 3, winning_team_id: '11', absent_side: 2 })
    expect(sidesOf(left).map(({ isAbsent }) => isAbsent)).toEqual([false, true])
    expect(sidesOf(match(1, 1, { is_void: true })).map(({ isAbsent }) => isAbsent)).toEqual([true, true])
  })

  test('that are not decided have no name and have not won', () => {
    const open = match(2, 1, { team1_id: null, team_one: null })
    expect(sidesOf(open)[0]).toEqual({ id: null, name: null, wins: 0, isWinner: false, isAbsent: false })
  })
})

test.each([
  [{}, 'open'],
  [{ called_at: '2026-11-19T00:00:00.000Z' }, 'called'],
  [{ called_at: '2026-11-19T00:00:00.000Z', team2_win_count: 1 }, 'running'],
  [{ winning_team_id: '11' }, 'decided'],
  [{ is_void: true }, 'void'],
])('a match with %j is %s', (change, state) => {
  expect(matchState(match(1, 1, change))).toBe(state)
})

describe('the way of a team', () => {
  const teams = { '1': 'Rồng', '2': 'Hổ', '3': 'Rắn', '4': 'Rùa' } as const
  const named = (id: keyof typeof teams | null) => (id === null ? null : { team_name: teams[id] })
  type Id = keyof typeof teams | null
  const between = (round: number, position: number, [one, two, winner]: readonly [Id, Id, Id]) =>
    match(round, position, {
      team1_id: one,
      team2_id: two,
      team_one: named(one),
      team_two: named(two),
      winning_team_id: winner,
      team1_win_count: winner === one && winner !== null ? 3 : 0,
      team2_win_count: winner === two && winner !== null ? 3 : 0,
    })
  /** Four teams: two semi-finals, the match for the third place, the final. */
  const bracket = (...played: readonly (readonly [Id, Id, Id])[]) => {
    const places = [
      [1, 1],
      [1, 2],
      [2, 1],
      [3, 1],
    ] as const
    const matches = places.map(([round, position], index) =>
      between(round, position, played[index] ?? [null, null, null]),
    )
    return roundsOf(tournament({ max_round: 2 }), matches)
  }
  const semi = [
    ['1', '2', '1'],
    ['3', '4', '4'],
  ] as const

  test('leads to the next opponent, known or not', () => {
    expect(trailOf(bracket(['1', '2', null]), '2')).toEqual({
      name: 'Hổ',
      state: 'next',
      round: 'Bán kết',
      opponent: 'Rồng',
    })
    const half = bracket(semi[0], ['3', '4', null], ['2', null, null], ['1', null, null])
    expect(trailOf(half, '1')).toMatchObject({ state: 'next', round: 'Chung kết', opponent: null })
    expect(trailOf(half, '2')).toMatchObject({ state: 'next', round: 'Tranh hạng ba', opponent: null })
  })

  test('goes on from a match that was won before the next one is there', () => {
    expect(trailOf(bracket(semi[0]), '1')).toMatchObject({
      state: 'next',
      round: 'Chung kết',
      opponent: null,
    })
  })

  test('ends with the place it took', () => {
    const all = bracket(...semi, ['2', '3', '3'], ['1', '4', '4'])
    expect(['4', '1', '3', '2'].map((id) => trailOf(all, id))).toEqual([
      { name: 'Rùa', state: 'champion' },
      { name: 'Rồng', state: 'second' },
      { name: 'Rắn', state: 'third' },
      { name: 'Hổ', state: 'fourth' },
    ])
    expect(championOf(all)).toMatchObject({ id: '4', name: 'Rùa' })
  })

  test('ends in a match that neither side came to', () => {
    const rounds = roundsOf(tournament({ max_round: 2 }), [match(1, 1, { is_void: true })])
    expect(trailOf(rounds, '11')).toEqual({ name: 'Hội Ngói Nâu', state: 'out', round: 'Bán kết' })
  })

  test('is null for a team that does not play here', () => {
    expect(trailOf(bracket(...semi), '99')).toBeNull()
    expect(trailOf(bracket(...semi), null)).toBeNull()
    expect(championOf(bracket(...semi))).toBeNull()
  })

  test('is shown from the round being played, and from the final when it is decided', () => {
    const shown = (rounds: ReturnType<typeof bracket>, current_round: number) =>
      firstShown(rounds, tournament({ max_round: 2, current_round }))?.name
    expect(shown(bracket(...semi), 1)).toBe('Bán kết')
    expect(shown(bracket(...semi, ['2', '3', '3']), 2)).toBe('Tranh hạng ba')
    expect(shown(bracket(...semi, ['2', '3', '3'], ['1', '4', '4']), 2)).toBe('Chung kết')
    expect(shown([], 0)).toBeUndefined()
  })
})
