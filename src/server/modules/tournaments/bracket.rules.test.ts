import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bracketOf, winnerOf, type BracketMatch, type Result } from './bracket.rules.ts'

const win = (winner: 1 | 2): Result => ({ wins: winner === 1 ? [1, 0] : [0, 1], winner })

const asText = ({ round, position, sides, result }: BracketMatch) =>
  `${round}.${position} ${sides.map((side) => side ?? '?').join('-')}${result === null ? '' : ` ${result.winner}`}`

describe('a bracket', () => {
  test('before anything is played: the first round is known, every later one has its place', () => {
    expect(bracketOf(3, []).map(asText)).toEqual([
      '1.1 0-1',
      '1.2 2-3',
      '1.3 4-5',
      '1.4 6-7',
      '2.1 ?-?',
      '2.2 ?-?',
      '3.1 ?-?',
      '4.1 ?-?',
    ])
  })

  test('winners of neighbours meet; losers of the semi-finals play for the third place, winners for the first', () => {
    const results = [[win(1), win(2), win(2), win(1)], [win(2), win(1)], [win(1)], [win(2)]]
    const bracket = bracketOf(3, results)
    expect(bracket.map(asText)).toEqual([
      '1.1 0-1 1',
      '1.2 2-3 2',
      '1.3 4-5 2',
      '1.4 6-7 1',
      '2.1 0-3 2',
      '2.2 5-6 1',
      '3.1 0-6 1',
      '4.1 3-5 2',
    ])
    expect(winnerOf(bracket.at(-1)!)).toBe(5)
  })

  test('half played: a waiting team has no opponent, and a match with a missing side is not won', () => {
    const bracket = bracketOf(3, [
      [win(1), null, win(2), win(2)],
      [win(1), win(2)],
    ])
    expect(bracket.map(asText).slice(4)).toEqual(['2.1 0-?', '2.2 5-7 2', '3.1 ?-5', '4.1 ?-7'])
  })

  test('of two teams is one final; of four, two semi-finals and the two last matches', () => {
    expect(bracketOf(1, []).map(asText)).toEqual(['2.1 0-1'])
    expect(bracketOf(2, [[win(2), win(1)]]).map(asText)).toEqual([
      '1.1 0-1 2',
      '1.2 2-3 1',
      '2.1 0-3',
      '3.1 1-2',
    ])
  })

  test('played to the end has one match a team, and every team loses once but for those of the last matches', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 6 }),
        fc.infiniteStream(fc.constantFrom(1, 2)),
        (maxRound, chance) => {
          const next = () => win(chance.next().value as 1 | 2)
          const results = Array.from({ length: maxRound + 1 }, () =>
            Array.from({ length: 2 ** (maxRound - 1) }, next),
          )
          const bracket = bracketOf(maxRound, results)
          expect(bracket).toHaveLength(2 ** maxRound)
          const knockedOut = bracket
            .filter(({ round }) => round < maxRound)
            .map((match) => match.sides.find((side) => side !== winnerOf(match)))
          expect(new Set(knockedOut).size).toBe(2 ** maxRound - 2)
          const [third, final] = bracket.slice(-2) as [BracketMatch, BracketMatch]
          expect(new Set([...third.sides, ...final.sides]).size).toBe(4)
          expect(final.sides.every((side) => !knockedOut.includes(side as number))).toBe(true)
        },
      ),
    )
  })
})
