import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawnRounds, firstSides, placesLeft, roundsNeeded, shuffle } from './draw.rules.ts'
import { newDrawSeed, randomFromSeed } from './rounds.service.ts'

const teams = (count: number) => Array.from({ length: count }, (_, index) => `đội ${index + 1}`)
const drawn = (count: number, seed: string) => shuffle(teams(count), randomFromSeed(seed))

describe('a draw', () => {
  test('needs as many rounds as bring its teams down to one', () => {
    expect([2, 3, 4, 5, 8, 9, 16, 17].map(roundsNeeded)).toEqual([1, 2, 2, 3, 3, 4, 4, 5])
  })

  test('lowers max_round to what the teams need, and leaves an unlimited tournament unlimited', () => {
    expect([16, 9, 8, 3, 2].map((count) => drawnRounds(4, count))).toEqual([4, 4, 3, 2, 1])
    expect([3, 100].map((count) => drawnRounds(0, count))).toEqual([0, 0])
    expect(drawnRounds(0, 2)).toBe(1)
  })

  test('leaves places until the bracket is full', () => {
    expect([placesLeft(2, 0), placesLeft(2, 3), placesLeft(2, 5), placesLeft(0, 900)]).toEqual([
      4,
      1,
      0,
      null,
    ])
  })

  test('from the same seed is the same, from another one is not', () => {
    const [seed, other] = [newDrawSeed(), newDrawSeed()]
    expect(drawn(64, seed)).toEqual(drawn(64, seed))
    expect(drawn(64, seed)).not.toEqual(drawn(64, other))
    expect(drawn(64, seed).toSorted()).toEqual(teams(64).toSorted())
  })

  test('gives every team each place equally often', () => {
    const rounds = 6_000
    const first = new Map<string, number>()
    for (let round = 0; round < rounds; round++) {
      const team = drawn(6, newDrawSeed())[0] as string
      first.set(team, (first.get(team) ?? 0) + 1)
    }
    // A thousand each; seven standard deviations either way.
    for (const count of first.values()) expect(Math.abs(count - 1_000)).toBeLessThan(202)
    expect(first.size).toBe(6)
  })

  test.each([
    [2, ['1-2']],
    [3, ['1-3', '2-']],
    [5, ['1-5', '2-', '3-', '4-']],
    [6, ['1-5', '2-', '3-6', '4-']],
    [7, ['1-5', '2-7', '3-6', '4-']],
    [8, ['1-5', '2-7', '3-6', '4-8']],
  ])('of %i teams', (count, matches) => {
    const numbers = Array.from({ length: count }, (_, index) => index + 1)
    expect(firstSides(numbers).map(([one, two]) => `${one}-${two ?? ''}`)).toEqual(matches)
  })

  test('places every team once, and fewer than half of the matches are byes that meet only when there is no way around', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 600 }), (count) => {
        const numbers = Array.from({ length: count }, (_, index) => index)
        const sides = firstSides(numbers)
        expect(sides).toHaveLength(2 ** (roundsNeeded(count) - 1))
        expect(
          sides
            .flat()
            .filter((side) => side !== null)
            .toSorted((a, b) => a - b),
        ).toEqual(numbers)
        const isBye = sides.map(([, second]) => second === null)
        const byes = isBye.filter(Boolean).length
        expect(byes).toBeLessThan(sides.length)
        const pairsOfByes = isBye.filter((bye, index) => index % 2 === 0 && bye && isBye[index + 1]).length
        expect(pairsOfByes).toBe(Math.max(0, Math.floor(byes - sides.length / 2)))
      }),
    )
  })
})
