import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type EnteredResult, matchOutcome, roundPoints } from '#contract/tournament-rules.ts'
import {
  firstRound,
  isDecided,
  newBracket,
  openRoundOf,
  playedAgain,
  settle,
  wasPlayed,
  withResult,
  type BracketMatch,
} from './bracket.rules.ts'
import { hasAllCases } from '#tests/support/test-run.ts'
import { firstSides, roundsNeeded } from './draw.rules.ts'

const bracketOf = (count: number) => {
  const teams = Array.from({ length: count }, (_, index) => String(index + 1))
  return newBracket(roundsNeeded(count), firstSides(teams))
}

const asText = ({ round, position, sides, winner, isVoid }: BracketMatch) =>
  `${round}.${position} ${sides.map((side) => side ?? '?').join('-')}${isVoid ? ' void' : winner === null ? '' : ` ${winner}`}`

function entered(
  matches: readonly BracketMatch[],
  maxRound: number,
  [round, position, games, absent = []]: [number, number, [number, number], (1 | 2)[]?],
): BracketMatch[] {
  const result: EnteredResult = { games, absent }
  const outcome = matchOutcome(result, roundPoints(round, maxRound))
  if ('fault' in outcome) throw new Error(outcome.fault)
  return withResult(matches, maxRound, { place: { round, position }, result, outcome })
}

describe('a bracket', () => {
  test('before anything is played: the first round is known, every later one has its place', () => {
    expect(bracketOf(8).map(asText)).toEqual([
      '1.1 1-8',
      '1.2 4-5',
      '1.3 2-7',
      '1.4 3-6',
      '2.1 ?-?',
      '2.2 ?-?',
      '3.1 ?-?',
      '4.1 ?-?',
    ])
  })

  test('of two teams is one final; of three the first has a bye and the loser of the other match is third', () => {
    expect(bracketOf(2).map(asText)).toEqual(['2.1 1-2'])
    expect(bracketOf(3).map(asText)).toEqual(['1.1 1-? 1', '1.2 2-3', '2.1 ?-?', '3.1 1-?'])
    expect(entered(bracketOf(3), 2, [1, 2, [0, 3]]).map(asText)).toEqual([
      '1.1 1-? 1',
      '1.2 2-3 3',
      '2.1 ?-2 2',
      '3.1 1-3',
    ])
  })

  test('winners of neighbours meet; losers of the semi-finals play for the third place, winners for the first', () => {
    let matches = bracketOf(8)
    for (const position of [1, 2, 3, 4]) matches = entered(matches, 3, [1, position, [3, 0]])
    matches = entered(entered(matches, 3, [2, 1, [1, 3]]), 3, [2, 2, [3, 2]])
    expect(matches.slice(4).map(asText)).toEqual(['2.1 1-4 4', '2.2 2-3 2', '3.1 1-3', '4.1 4-2'])
  })

  test('where neither side came nobody goes on, and whoever would have met the winner goes on alone', () => {
    const matches = entered(bracketOf(4), 2, [1, 1, [0, 0], [1, 2]])
    expect(entered(matches, 2, [1, 2, [3, 1]]).map(asText)).toEqual([
      '1.1 1-4 void',
      '1.2 2-3 2',
      '2.1 ?-3 3',
      '3.1 ?-2 2',
    ])
    expect(entered(matches, 2, [1, 2, [0, 0], [1, 2]]).map(asText)).toEqual([
      '1.1 1-4 void',
      '1.2 2-3 void',
      '2.1 ?-? void',
      '3.1 ?-? void',
    ])
  })

  test('a corrected winner takes the place of the other one, and what that one played has to be played again', () => {
    let before = bracketOf(8)
    for (const position of [1, 2, 3, 4]) before = entered(before, 3, [1, position, [3, 0]])
    for (const position of [1, 2]) before = entered(before, 3, [2, position, [3, 0]])
    before = entered(entered(before, 3, [3, 1, [3, 1]]), 3, [4, 1, [2, 1]])
    const after = entered(before, 3, [1, 1, [0, 3]])
    expect(after.slice(4).map(asText)).toEqual(['2.1 8-4', '2.2 2-3 2', '3.1 ?-3', '4.1 ?-2'])
    expect(playedAgain(before, after, { round: 1, position: 1 }).map(asText)).toEqual([
      '2.1 1-4 1',
      '3.1 4-3 4',
      '4.1 1-2',
    ])
    expect(openRoundOf(after, 4)).toBe(2)
  })

  test('a corrected score of the same winner changes nothing after it', () => {
    let before = bracketOf(4)
    before = entered(entered(before, 2, [1, 1, [3, 0]]), 2, [1, 2, [3, 2]])
    before = entered(before, 2, [2, 1, [3, 2]])
    const after = entered(before, 2, [1, 1, [3, 2]])
    expect(playedAgain(before, after, { round: 1, position: 1 })).toEqual([])
    expect(openRoundOf(after, 3)).toBe(3)
  })
})

const anEvent = fc.record({
  which: fc.nat(),
  kind: fc.constantFrom('one', 'two', 'score', 'absent1', 'absent2', 'both'),
  correct: fc.boolean(),
})

function resultOf(kind: string, points: number): EnteredResult {
  if (kind === 'one') return { games: [points, points - 1], absent: [] }
  if (kind === 'two') return { games: [0, points], absent: [] }
  if (kind === 'score') return { games: [points - 1, 0], absent: [] }
  if (kind === 'both') return { games: [0, 0], absent: [1, 2] }
  return { games: [0, 0], absent: [kind === 'absent1' ? 1 : 2] }
}

/** Nobody plays twice in a round, and every decided match has sent its teams where they belong. */
function assertSound(matches: readonly BracketMatch[], maxRound: number): void {
  for (const round of new Set(matches.map((match) => match.round))) {
    const teams = matches
      .filter((match) => match.round === round)
      .flatMap(({ sides }) => sides.filter((side) => side !== null))
    expect(new Set(teams).size).toBe(teams.length)
  }
  expect(settle(matches, maxRound)).toEqual(matches)
}

test('with any absences and corrections in any round, 2 to 130 teams come to one champion or none', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 130 }), fc.array(anEvent, { maxLength: 60 }), (count, events) => {
      const maxRound = roundsNeeded(count)
      let matches: BracketMatch[] = bracketOf(count)
      let round = firstRound(maxRound)
      const enter = (match: BracketMatch, kind: string) => {
        const { round: of, position } = match
        const result = resultOf(kind, roundPoints(of, maxRound))
        matches = entered(matches, maxRound, [of, position, [...result.games], [...result.absent]])
        round = openRoundOf(matches, round)
      }
      const openMatches = () => matches.filter((match) => match.round === round && !isDecided(match))
      const moveOn = () => {
        while (openMatches().length === 0 && round <= maxRound) round++
      }
      for (const { which, kind, correct } of events) {
        moveOn()
        const among = correct
          ? matches.filter((match) => match.round <= round && wasPlayed(match))
          : openMatches()
        const match = among[which % among.length]
        if (match) enter(match, kind)
        assertSound(matches, maxRound)
      }
      // Whatever happened before: playing on ends the tournament, and nothing blocks.
      for (;;) {
        moveOn()
        const [match] = openMatches()
        if (!match) break
        expect(match.sides).not.toContain(null)
        enter(match, 'one')
      }
      assertSound(matches, maxRound)
      expect(matches.every(isDecided)).toBe(true)
      const final = matches.at(-1)
      expect(final?.isVoid ? final.winner === null : typeof final?.winner === 'string').toBe(true)
    }),
    { numRuns: hasAllCases ? 300 : 60 },
  )
})

describe('a result', () => {
  const check = (games: [number, number], absent: (1 | 2)[] = [], points = 3) =>
    matchOutcome({ games, absent }, points)

  test.each([
    [[3, 1], 1],
    [[0, 3], 2],
    [[3, 2], 1],
  ] as const)('%j is won by side %i', (games, winner) =>
    expect(check([...games])).toEqual({ winner, isVoid: false }),
  )

  test.each([[[0, 0]], [[2, 2]], [[1, 0]], [[0, 2]]] as const)(
    '%j is a match that is still being played',
    (games) => expect(check([...games])).toEqual({ winner: null, isVoid: false }),
  )

  test('of 1–0 does not decide a final of five', () =>
    expect(check([1, 0], [], 5)).toEqual({ winner: null, isVoid: false }))

  test('of a match one side did not come to, or left, is won by the other', () => {
    expect(check([0, 0], [1])).toEqual({ winner: 2, isVoid: false })
    expect(check([1, 1], [2])).toEqual({ winner: 1, isVoid: false })
  })

  test('of a match neither side came to is void', () =>
    expect(check([0, 0], [1, 2])).toEqual({ winner: null, isVoid: true }))

  test('does not name a side absent that has won more', () =>
    expect(check([2, 1], [1])).toEqual({ fault: 'absent-ahead' }))

  test('has no more games than the round has points, and one winner', () => {
    expect(check([4, 1])).toEqual({ fault: 'too-many' })
    expect(check([0, 2], [], 1)).toEqual({ fault: 'too-many' })
    expect(check([3, 3])).toEqual({ fault: 'both-won' })
  })
})
