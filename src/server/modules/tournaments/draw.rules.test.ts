import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Draw, QUICKNET, roundTime, SECRET_ALGORITHM, secretListDigest } from '#contract/draw-proof.ts'
import { byBeacon, bySecret } from '#tests/support/draws.ts'
import { drawnRounds, firstSides, type RecordedDraw, roundsNeeded, verifyRecorded } from './draw.rules.ts'

describe('a draw', () => {
  test('needs as many rounds as bring its teams down to one', () => {
    expect([2, 3, 4, 5, 8, 9, 16, 17].map(roundsNeeded)).toEqual([1, 2, 2, 3, 3, 4, 4, 5])
  })

  test('lowers max_round to what the teams need, and leaves an unlimited tournament unlimited', () => {
    expect([16, 9, 8, 3, 2].map((count) => drawnRounds(4, count))).toEqual([4, 4, 3, 2, 1])
    expect([3, 100].map((count) => drawnRounds(0, count))).toEqual([0, 0])
    expect(drawnRounds(0, 2)).toBe(1)
  })

  test.each([
    [2, ['1-2']],
    [3, ['1-', '2-3']],
    [5, ['1-', '4-5', '2-', '3-']],
    [6, ['1-', '4-5', '2-', '3-6']],
    [7, ['1-', '4-5', '2-7', '3-6']],
    [8, ['1-8', '4-5', '2-7', '3-6']],
  ])('of %i teams gives byes to the first of the order', (count, matches) => {
    const numbers = Array.from({ length: count }, (_, index) => index + 1)
    expect(firstSides(numbers).map(([one, two]) => `${one}-${two ?? ''}`)).toEqual(matches)
  })

  test('places every team once, and the first two apart', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 600 }), (count) => {
        const numbers = Array.from({ length: count }, (_, index) => index)
        const sides = firstSides(numbers)
        const placed = sides.flat().filter((side) => side !== null)
        expect(placed.toSorted((a, b) => a - b)).toEqual(numbers)
        const half = sides.length / 2
        expect(sides.findIndex((side) => side.includes(0)) < half).toBe(true)
        expect(count === 2 || sides.findIndex((side) => side.includes(1)) >= half).toBe(true)
      }),
    )
  })
})

const minute = (number: number) => new Date(Date.UTC(2026, 10, 26, 12, number))

describe('what the audit trail has of a draw by a secret', () => {
  const draw = bySecret()
  const created = {
    seq: '9',
    at: minute(0),
    details: { after: { draw_commitment: draw.commitment } },
    isAsWritten: true,
  }
  const drawn = {
    seq: '10',
    at: minute(20),
    details: { after: { list_digest: secretListDigest(draw.teams) } },
    isAsWritten: true,
  }
  const recorded: RecordedDraw = { created, frozen: undefined, drawn, closedAt: minute(10) }

  test('shows that the secret was promised before the list was closed', () => {
    expect(draw.algorithm).toBe(SECRET_ALGORITHM)
    expect(verifyRecorded(draw, recorded)).toEqual([])
    expect(verifyRecorded(draw, { ...recorded, closedAt: null })).toEqual([])
  })

  test.each<[string, object, string]>([
    ['no act that made the tournament', { created: undefined }, 'no promise'],
    ['an act without the promise', { created: { ...created, details: { after: {} } } }, 'no promise'],
    ['no draw', { drawn: undefined }, 'no draw'],
    ['a changed act', { drawn: { ...drawn, isAsWritten: false } }, 'row 10 of the audit trail'],
    [
      'another promise',
      { created: { ...created, details: { after: { draw_commitment: 'f'.repeat(64) } } } },
      'another secret',
    ],
    ['a promise after the close', { closedAt: minute(0) }, 'closed already'],
    ['a promise after the draw', { closedAt: null, created: { ...created, seq: '11' } }, 'closed already'],
    [
      'another list',
      { drawn: { ...drawn, details: { after: { list_digest: secretListDigest(draw.teams.slice(1)) } } } },
      'not the one that the audit trail has',
    ],
  ])('with %s is wrong', (_, change, text) => {
    expect(verifyRecorded(draw, { ...recorded, ...change })).toEqual([expect.stringContaining(text)])
  })
})

describe('what the audit trail has of a draw by the beacon', () => {
  const draw: Draw = byBeacon()
  const round = draw.beacon!.round
  const frozen = {
    seq: '9',
    at: new Date(roundTime(QUICKNET, round).getTime() - 1),
    details: { after: { list_digest: draw.commitment, round } },
    isAsWritten: true,
  }
  const drawn = { seq: '10', at: minute(20), details: {}, isAsWritten: true }
  const recorded: RecordedDraw = { created: undefined, frozen, drawn, closedAt: minute(10) }

  test('shows that the list was there before the random number', () =>
    expect(verifyRecorded(draw, recorded)).toEqual([]))

  test.each<[string, object, string]>([
    ['no closed list', { frozen: undefined }, 'no closed list'],
    ['no draw', { drawn: undefined }, 'no draw'],
    ['a changed act', { frozen: { ...frozen, isAsWritten: false } }, 'row 9 of the audit trail'],
    [
      'another list',
      { frozen: { ...frozen, details: { after: { list_digest: 'f'.repeat(64), round } } } },
      'not the one that the audit trail has',
    ],
    [
      'another round',
      { frozen: { ...frozen, details: { after: { list_digest: draw.commitment, round: round + 1 } } } },
      'another round',
    ],
    [
      'a list that was recorded in the second of the round',
      { frozen: { ...frozen, at: roundTime(QUICKNET, round) } },
      'known already',
    ],
  ])('with %s is wrong', (_, change, text) => {
    expect(verifyRecorded(draw, { ...recorded, ...change })).toEqual([expect.stringContaining(text)])
  })
})
