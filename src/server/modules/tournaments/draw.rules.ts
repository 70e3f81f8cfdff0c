import { type Draw, QUICKNET, roundTime, SECRET_ALGORITHM, secretListDigest } from '#contract/draw-proof.ts'

/** The rounds before the third place and the final that so many teams need. */
export const roundsNeeded = (teams: number): number => Math.ceil(Math.log2(teams))

/**
 * The max_round of a drawn tournament: what its teams need. Where the number of teams is not limited it stays 0, except for two
 * teams, whose only match is the final.
 */
export function drawnRounds(maxRound: number, teams: number): number {
  const needed = roundsNeeded(teams)
  return maxRound === 0 && needed > 1 ? 0 : needed
}

/**
 * The sides of the first round for teams in their drawn order, placed as usual in knock-out tournaments: the first two can meet
 * in the final only, the first four in the semi-finals, and so on. Places beyond the number of teams are byes, so that they
 * go to the first of the order. Null: a place that stayed empty.
 */
export function firstSides<Team>(order: readonly (Team | null)[]): [Team | null, Team | null][] {
  const size = 2 ** roundsNeeded(order.length)
  return seedPlaces(size).map((place) => [order[place - 1] ?? null, order[size - place] ?? null])
}

/** The better place of each match of the first round, from top to bottom: of eight 1, 4, 2, 3. */
function seedPlaces(size: number): number[] {
  let places = [1]
  while (places.length < size / 2) {
    const sum = 2 * places.length + 1
    places = places.flatMap((place) => [place, sum - place])
  }
  return places
}

/** An act as the audit trail has it. */
type Act = { seq: string; at: Date; details: Record<string, unknown>; isAsWritten: boolean }

export type RecordedDraw = {
  /** The acts that made the tournament, that closed its list, and that drew it. */
  created: Act | undefined
  frozen: Act | undefined
  drawn: Act | undefined
  /** When registration was closed; null where a draw by a secret closed it. */
  closedAt: Date | null
}

const afterOf = ({ details }: Act): Record<string, unknown> =>
  (details['after'] ?? {}) as Record<string, unknown>

/** When nothing more could be added to the list of a draw by a secret. */
export const listClosedAt = ({ closedAt, drawn }: Pick<RecordedDraw, 'closedAt' | 'drawn'>): Date | null => {
  if (closedAt === null || drawn === undefined) return closedAt ?? drawn?.at ?? null
  return closedAt < drawn.at ? closedAt : drawn.at
}

const changedRows = (acts: readonly Act[]): string[] =>
  acts
    .filter(({ isAsWritten }) => !isAsWritten)
    .map(({ seq }) => `row ${seq} of the audit trail is not as it was written`)

/** What shows that a draw was not prepared as it says; empty where the audit trail agrees with it. */
export function verifyRecorded(draw: Draw, recorded: RecordedDraw): string[] {
  return draw.algorithm === SECRET_ALGORITHM ? verifyPromise(draw, recorded) : verifyClose(draw, recorded)
}

/** The list was recorded as it was drawn, and before anybody could know the random number. */
function verifyClose({ commitment, beacon }: Draw, { frozen, drawn }: RecordedDraw): string[] {
  if (frozen === undefined) return ['the audit trail has no closed list']
  if (drawn === undefined) return ['the audit trail has no draw']
  const faults = changedRows([frozen, drawn])
  const { list_digest, round } = afterOf(frozen)
  if (list_digest !== commitment) faults.push('the list is not the one that the audit trail has')
  if (beacon === null || round !== beacon.round) return [...faults, 'the audit trail has another round']
  // The key of a demo's chain lies beside it: when its numbers became known says nothing.
  if (beacon.chain.name === 'quicknet' && frozen.at >= roundTime(QUICKNET, beacon.round))
    faults.push('the list was recorded when the random number was known already')
  return faults
}

/** What shows that the secret may have been chosen, or the list changed, afterwards; empty where it could not. */
function verifyPromise(
  { commitment, teams }: Pick<Draw, 'commitment' | 'teams'>,
  { created, drawn, closedAt }: RecordedDraw,
): string[] {
  if (created === undefined || afterOf(created)['draw_commitment'] === undefined)
    return ['the audit trail has no promise of a secret']
  if (drawn === undefined) return ['the audit trail has no draw']
  const faults = changedRows([created, drawn])
  if (afterOf(created)['draw_commitment'] !== commitment)
    faults.push('the audit trail has the promise of another secret')
  const listClosed = listClosedAt({ closedAt, drawn })
  if (BigInt(created.seq) > BigInt(drawn.seq) || (listClosed !== null && created.at >= listClosed))
    faults.push('the secret was promised when the list was closed already')
  if (afterOf(drawn)['list_digest'] !== secretListDigest(teams))
    faults.push('the list is not the one that the audit trail has')
  return faults
}

/** The first of these names that stands among them twice, whatever its capitals. */
export function firstTwice(
  names: readonly string[],
  keyOf = (name: string) => name.toLowerCase(),
): string | undefined {
  const found = new Set<string>()
  return names.find((name) => {
    const key = keyOf(name)
    const isTwice = found.has(key)
    found.add(key)
    return isTwice
  })
}
