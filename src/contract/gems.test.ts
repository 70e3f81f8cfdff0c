import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GEM_LEVEL_MAX, gemAtm, gemCoins, GEMS_PER_LEVEL, gemsBetween } from './gems.ts'

describe('gems for a range of levels', () => {
  test.each([
    [0, 1, 1],
    [1, 2, 20],
    [2, 3, 50],
    [3, 4, 100],
    [4, 5, 200],
    [5, 6, 500],
    [6, 7, 1_000],
    [7, 8, 2_000],
    [8, 9, 5_000],
    [9, 10, 10_000],
    [0, 5, 371],
    [3, 7, 1_800],
    [0, 10, 18_871],
  ])('from %i to %i are %i', (from, to, gems) => {
    expect(gemsBetween(from, to)).toBe(gems)
  })

  test.each([
    [5, 5],
    [6, 5],
    [-1, 3],
    [0, 11],
    [10, 10],
    [0.5, 3],
    [0, Number.NaN],
  ])('from %d to %d make no sense', (from, to) => {
    expect(gemsBetween(from, to)).toBeNull()
  })

  test('add up over any stop on the way', () => {
    const levels = fc.uniqueArray(fc.integer({ min: 0, max: GEM_LEVEL_MAX }), { minLength: 3, maxLength: 3 })
    fc.assert(
      fc.property(levels, (picked) => {
        const [low, middle, high] = picked.sort((a, b) => a - b) as [number, number, number]
        expect(gemsBetween(low, middle)! + gemsBetween(middle, high)!).toBe(gemsBetween(low, high))
      }),
    )
  })

  test('cost what the table lists, level by level', () => {
    expect(GEMS_PER_LEVEL.map((_, below) => gemsBetween(below, below + 1))).toEqual([...GEMS_PER_LEVEL])
  })
})

describe('coins and bank money', () => {
  test('are the product and its whole part', () => {
    expect(gemCoins(371, 12_000)).toBe(4_452_000n)
    expect(gemAtm(4_452_000n, 5_000)).toBe(890n)
    expect(gemAtm(4_999n, 5_000)).toBe(0n)
    expect(gemAtm(5_000n, 5_000)).toBe(1n)
  })

  test('stay exact beyond what plain numbers can count', () => {
    expect(gemCoins(18_871, 999_999_999_999_999)).toBe(18_870_999_999_999_981_129n)
    expect(gemAtm(gemCoins(18_871, 999_999_999_999_999), 7)).toBe(2_695_857_142_857_140_161n)
  })
})
