import { type EnteredResult, roundCount, type Side } from '#contract/tournament-rules.ts'

export type Place = {
  round: number
  /** From 1. */
  position: number
}

/** A team's id; null while it is not decided who plays there, and where nobody does. */
export type Sides = readonly [string | null, string | null]

/** How a match stands. `isVoid`: it is decided, and nobody goes on, since neither side came or nobody was left. */
export type Outcome = {
  games: readonly [number, number]
  absent: readonly Side[]
  winner: string | null
  isVoid: boolean
}

/** One match of a bracket of 2^maxRound places. */
export type BracketMatch = Place & Outcome & { sides: Sides }

export const NOT_PLAYED: Outcome = { games: [0, 0], absent: [], winner: null, isVoid: false }

export const isDecided = ({ winner, isVoid }: Pick<Outcome, 'winner' | 'isVoid'>): boolean =>
  winner !== null || isVoid

/** With two places the only match is the final, which is round 2: there is nobody to play for the third place. */
export const firstRound = (maxRound: number): number => (maxRound === 1 ? 2 : 1)

const matchesOf = (round: number, maxRound: number): number =>
  round < maxRound ? 2 ** (maxRound - round) : 1

/** Every match of a bracket of 2^maxRound places, round by round. */
export function placesOf(maxRound: number): Place[] {
  const first = firstRound(maxRound)
  return Array.from({ length: roundCount(maxRound) - first + 1 }, (_, index) => first + index).flatMap(
    (round) =>
      Array.from({ length: matchesOf(round, maxRound) }, (_, index) => ({ round, position: index + 1 })),
  )
}

/**
 * On which side of which match the winner and the loser of a match play next. Winners of neighbouring matches meet in the
 * next round. The round before the last is the match for the third place, between those who lost the semi-finals.
 */
export function nextPlaces(
  { round, position }: Place,
  maxRound: number,
): { winner: (Place & { side: Side }) | null; loser: (Place & { side: Side }) | null } {
  const side = position % 2 === 1 ? 1 : 2
  if (round >= maxRound) return { winner: null, loser: null }
  if (round < maxRound - 1) {
    return { winner: { round: round + 1, position: Math.ceil(position / 2), side }, loser: null }
  }
  return {
    winner: { round: roundCount(maxRound), position: 1, side },
    loser: { round: maxRound, position: 1, side },
  }
}

const keyOf = ({ round, position }: Place) => `${round}.${position}`

/** What comes to one side of a later match; `isKnown` also where nobody comes. */
type Coming = { team: string | null; isKnown: boolean }

/**
 * The bracket that follows from its first round and from what was played, in the order of rounds. Each team goes where its
 * last match sends it; who has nobody to play against goes on; a match between nobody is void. A result whose teams are not
 * those of the match any more is dropped: the match has to be played again.
 */
export function settle<Match extends BracketMatch>(matches: readonly Match[], maxRound: number): Match[] {
  const first = firstRound(maxRound)
  const coming = new Map<string, [Coming | undefined, Coming | undefined]>()
  return [...matches]
    .sort((a, b) => a.round - b.round || a.position - b.position)
    .map((match) => {
      const fed = coming.get(keyOf(match)) ?? [undefined, undefined]
      const [one, two] = match.round === first ? match.sides.map((team) => ({ team, isKnown: true })) : fed
      const settled = { ...match, ...outcomeOf(match, [one ?? UNKNOWN, two ?? UNKNOWN]) }
      const { winner, loser } = nextPlaces(match, maxRound)
      const [winning, losing] = comingFrom(settled)
      if (winner) placeAt(coming, winner)[winner.side - 1] = winning
      if (loser) placeAt(coming, loser)[loser.side - 1] = losing
      return settled
    })
}

const UNKNOWN: Coming = { team: null, isKnown: false }

function placeAt(
  coming: Map<string, [Coming | undefined, Coming | undefined]>,
  place: Place,
): [Coming | undefined, Coming | undefined] {
  const sides = coming.get(keyOf(place)) ?? [undefined, undefined]
  coming.set(keyOf(place), sides)
  return sides
}

function outcomeOf(match: BracketMatch, [one, two]: [Coming, Coming]): Outcome & { sides: Sides } {
  const sides = [one.team, two.team] as const
  const isSame = sides[0] === match.sides[0] && sides[1] === match.sides[1]
  const { games, absent, winner, isVoid } = match
  if (one.team !== null && two.team !== null) {
    return { sides, ...(isSame ? { games, absent, winner, isVoid } : NOT_PLAYED) }
  }
  if (!one.isKnown || !two.isKnown) return { sides, ...NOT_PLAYED }
  const only = one.team ?? two.team
  return { sides, ...NOT_PLAYED, winner: only, isVoid: only === null }
}

/** Who goes on as the winner and who as the loser; nobody where the match is void. */
function comingFrom(match: BracketMatch): [Coming, Coming] {
  if (!isDecided(match)) return [UNKNOWN, UNKNOWN]
  const loser = match.isVoid ? null : (match.sides.find((team) => team !== match.winner) ?? null)
  return [
    { team: match.winner, isKnown: true },
    { team: loser, isKnown: true },
  ]
}

/** The bracket of a draw: the sides of its first round, and nothing played. */
export function newBracket(maxRound: number, sides: readonly Sides[]): BracketMatch[] {
  const first = firstRound(maxRound)
  const matches = placesOf(maxRound).map((place) => ({
    ...place,
    ...NOT_PLAYED,
    sides: (place.round === first ? sides[place.position - 1] : undefined) ?? ([null, null] as const),
  }))
  return settle(matches, maxRound)
}

/** A match as it is stored. */
export const stateOf = ({ sides, games, absent, winner, isVoid }: BracketMatch) => ({
  team1_id: sides[0],
  team2_id: sides[1],
  team1_win_count: games[0],
  team2_win_count: games[1],
  winning_team_id: winner,
  // Both are absent where it is void.
  absent_side: absent.length === 1 ? (absent[0] ?? null) : null,
  is_void: isVoid,
})

/** Whether somebody played this match, or was reported absent: what nobody may undo silently. */
export const wasPlayed = ({ sides, games, absent, winner }: BracketMatch): boolean =>
  sides[0] !== null && sides[1] !== null && (games[0] + games[1] > 0 || absent.length > 0 || winner !== null)

/** The bracket with a result in one of its matches, whose two sides have to be known. */
export function withResult<Match extends BracketMatch>(
  matches: readonly Match[],
  maxRound: number,
  {
    place,
    result,
    outcome,
  }: { place: Place; result: EnteredResult; outcome: { winner: Side | null; isVoid: boolean } },
): Match[] {
  const key = keyOf(place)
  const changed = matches.map((match) => {
    if (keyOf(match) !== key) return match
    const winner = outcome.winner === null ? null : match.sides[outcome.winner - 1]
    return { ...match, ...result, isVoid: outcome.isVoid, winner: winner ?? null }
  })
  return settle(changed, maxRound)
}

/** Those that were played and would have to be played again, in the order of rounds, the changed match itself not among them. */
export function playedAgain<Match extends BracketMatch>(
  before: readonly Match[],
  after: readonly Match[],
  changed: Place,
): Match[] {
  const isPlayed = new Set(after.filter(wasPlayed).map(keyOf))
  return before.filter(
    (match) => wasPlayed(match) && !isPlayed.has(keyOf(match)) && keyOf(match) !== keyOf(changed),
  )
}

/** The last round that can be open: the first one, up to `round`, that has a match left to decide. */
export function openRoundOf(matches: readonly BracketMatch[], round: number): number {
  const open = matches.filter((match) => match.round < round && !isDecided(match)).map((match) => match.round)
  return Math.min(round, ...open)
}
