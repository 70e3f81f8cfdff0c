import { describe, expect, test } from 'vitest'
import { checkResult } from './draw.rules.ts'

const check = (wins: [number, number], absent_side: 1 | 2 | null = null, points = 3) =>
  checkResult({ team1_win_count: wins[0], team2_win_count: wins[1], absent_side }, points)

describe('a result', () => {
  test.each([
    [[3, 1], 1],
    [[0, 2], 2],
    [[3, 2], 1],
  ] as const)('%j is won by side %i', (wins, winner) => expect(check([...wins])).toEqual({ winner }))

  test.each([[[0, 0]], [[2, 2]], [[3, 3]]] as const)('%j is a tie and has no winner', (wins) =>
    expect(check([...wins])).toEqual({ winner: null }),
  )

  test('of a match one side did not come to, or left, is won by the other', () => {
    expect(check([0, 0], 1)).toEqual({ winner: 2 })
    expect(check([0, 0], 2)).toEqual({ winner: 1 })
    expect(check([1, 1], 2)).toEqual({ winner: 1 })
    expect(check([2, 1], 2)).toEqual({ winner: 1 })
  })

  test('does not name a side absent that has won more', () =>
    expect(check([2, 1], 1)).toEqual({ fault: 'absent-ahead' }))

  test('has no more games than the round has points', () => {
    expect(check([4, 1])).toEqual({ fault: 'too-many' })
    expect(check([0, 2], null, 1)).toEqual({ fault: 'too-many' })
    expect(check([5, 4], null, 5)).toEqual({ winner: 1 })
  })
})
