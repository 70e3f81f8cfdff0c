import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  commitmentOf,
  DRAW_ALGORITHM,
  drawnRounds,
  drawOrder,
  firstSides,
  listDigest,
  placesLeft,
  roundsNeeded,
  teamDigest,
  verifyDraw,
  verifyPromise,
  type PublishedDraw,
  type RecordedDraw,
} from './draw.rules.ts'

const aSecret = () => randomBytes(32).toString('hex')

const listed = (count: number, seeds = 0) =>
  Array.from({ length: count }, (_, index) => {
    const team = { id: String(index + 1), name: `Đội ${index + 1}` }
    return { ...team, digest: teamDigest(team), seed: index >= count - seeds ? count - index : null }
  })

const published = (secret: string, teams = listed(12, 2)): PublishedDraw => ({
  commitment: commitmentOf(secret),
  secret,
  teams,
  order: drawOrder(secret, teams),
  algorithm: DRAW_ALGORITHM,
})

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

  test('from the same secret and list is the same, from another one is not', () => {
    const [secret, other] = [aSecret(), aSecret()]
    const teams = listed(64)
    expect(drawOrder(secret, teams)).toEqual(drawOrder(secret, teams.toReversed()))
    expect(drawOrder(secret, teams)).not.toEqual(drawOrder(other, teams))
    expect(drawOrder(secret, teams).slice(0, 63)).not.toEqual(drawOrder(secret, teams.slice(0, 63)))
    expect(drawOrder(secret, teams).toSorted()).toEqual(teams.map(({ id }) => id).toSorted())
  })

  test('puts seeded teams first, the strongest before the others', () =>
    expect(drawOrder(aSecret(), listed(12, 3)).slice(0, 3)).toEqual(['12', '11', '10']))

  test('gives every team each place equally often', () => {
    const rounds = 6_000
    const first = new Map<string, number>()
    const teams = listed(6)
    for (let round = 0; round < rounds; round++) {
      const team = drawOrder(aSecret(), teams)[0] as string
      first.set(team, (first.get(team) ?? 0) + 1)
    }
    // A thousand each; seven standard deviations either way.
    for (const count of first.values()) expect(Math.abs(count - 1_000)).toBeLessThan(202)
    expect(first.size).toBe(6)
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

const drawnBy = (secret: string, teams: PublishedDraw['teams']) => ({
  secret,
  order: drawOrder(secret, teams),
})

describe('a published draw', () => {
  test('repeats from its secret and its list', () => expect(verifyDraw(published(aSecret()))).toEqual([]))

  test('repeats where the name of a team was erased', () => {
    const draw = published(aSecret())
    const teams = draw.teams.map((team, index) => (index === 3 ? { ...team, name: null } : team))
    expect(verifyDraw({ ...draw, teams })).toEqual([])
  })

  test.each<[string, (draw: PublishedDraw) => Partial<PublishedDraw>]>([
    ['another secret', () => ({ secret: aSecret() })],
    ['another secret and the order that it gives', ({ teams }) => drawnBy(aSecret(), teams)],
    ['no secret', () => ({ secret: null })],
    ['another name', ({ teams }) => ({ teams: [{ ...teams[0]!, name: 'Đội khác' }, ...teams.slice(1)] })],
    ['a team less', ({ teams }) => ({ teams: teams.slice(1) })],
    ['another seed', ({ teams }) => ({ teams: [{ ...teams[0]!, seed: 3 }, ...teams.slice(1)] })],
    ['another order', ({ order }) => ({ order: order.toReversed() })],
    ['another algorithm', () => ({ algorithm: 'coin' })],
  ])('with %s does not', (_, change) => {
    const draw = published(aSecret())
    expect(verifyDraw({ ...draw, ...change(draw) })).not.toEqual([])
  })
})

describe('what the audit trail has of a draw', () => {
  const draw = published(aSecret())
  const minute = (number: number) => new Date(Date.UTC(2026, 10, 26, 12, number))
  const created = {
    seq: '9',
    at: minute(0),
    details: { after: { draw_commitment: draw.commitment } },
    isAsWritten: true,
  }
  const drawn = {
    seq: '10',
    at: minute(20),
    details: { after: { list_digest: listDigest(draw.teams) } },
    isAsWritten: true,
  }
  const recorded: RecordedDraw = { created, drawn, closedAt: minute(10) }

  test('shows that the secret was promised before the list was closed', () => {
    expect(verifyPromise(draw, recorded)).toEqual([])
    expect(verifyPromise(draw, { ...recorded, closedAt: null })).toEqual([])
  })

  test.each<[string, object, string]>([
    ['no act that made the tournament', { created: undefined }, 'no promise'],
    ['an act without the promise', { created: { ...created, details: { after: {} } } }, 'no promise'],
    ['no draw', { drawn: undefined }, 'no draw'],
    ['a changed act', { drawn: { ...drawn, isAsWritten: false } }, 'row 10 of the audit trail'],
    [
      'another promise',
      { created: { ...created, details: { after: { draw_commitment: commitmentOf(aSecret()) } } } },
      'another secret',
    ],
    ['a promise after the close', { closedAt: minute(0) }, 'closed already'],
    ['a promise after the draw', { closedAt: null, created: { ...created, seq: '11' } }, 'closed already'],
    [
      'another list',
      { drawn: { ...drawn, details: { after: { list_digest: listDigest(listed(11)) } } } },
      'not the one that the audit trail has',
    ],
  ])('with %s is wrong', (_, change, text) => {
    expect(verifyPromise(draw, { ...recorded, ...change })).toEqual([expect.stringContaining(text)])
  })
})
