import { createHash, createHmac } from 'node:crypto'
import { maxTeams } from '#contract/tournament-rules.ts'

/** A number from 0 to `bound` − 1, each as likely as the others. */
export type RandomBelow = (bound: number) => number

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

/** How many teams may still register; null: any number. */
export function placesLeft(maxRound: number, teams: number): number | null {
  const most = maxTeams(maxRound)
  return most === null ? null : Math.max(0, most - teams)
}

/** The teams in random order (Fisher and Yates). */
export function shuffle<Team>(teams: readonly Team[], below: RandomBelow): Team[] {
  const order = [...teams]
  for (let last = order.length - 1; last > 0; last--) {
    const chosen = below(last + 1)
    const moved = order[last] as Team
    order[last] = order[chosen] as Team
    order[chosen] = moved
  }
  return order
}

const RANGE = 2 ** 32

/** Random numbers that follow from the seed alone: HMAC-SHA256 of a counter, and values beyond the last whole multiple left out. */
export function randomFromSeed(seed: string): RandomBelow {
  const key = Buffer.from(seed, 'hex')
  let counter = 0
  return (bound) => {
    const limit = RANGE - (RANGE % bound)
    for (;;) {
      const value = createHmac('sha256', key).update(String(counter++)).digest().readUInt32BE(0)
      if (value < limit) return value % bound
    }
  }
}

/** The name of this way of drawing, published with each draw. */
export const DRAW_ALGORITHM = 'sha256-list-hmac-shuffle-1'

/** A team of the closed list. `digest` stands for its name, which may have to be erased later. `seed`: 1 is the strongest. */
export type ListedTeam = { id: string; digest: string; seed: number | null }

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')

/** SHA-256 of a team's id and name, a tab between them. */
export const teamDigest = ({ id, name }: { id: string; name: string }): string => sha256(`${id}\t${name}`)

/** SHA-256 of the 32 bytes of the secret. */
export const commitmentOf = (secret: string): string => sha256(Buffer.from(secret, 'hex'))

/** By number, since ids are longer than a JavaScript number holds exactly. */
const byId = (a: ListedTeam, b: ListedTeam) => a.id.length - b.id.length || (a.id < b.id ? -1 : 1)

/** A line of id, digest and seed (or nothing) for each team, tabs between them, in the order of the ids. */
const linesOf = (teams: readonly ListedTeam[]): string =>
  [...teams]
    .sort(byId)
    .map(({ id, digest, seed }) => `${id}\t${digest}\t${seed ?? ''}\n`)
    .join('')

/** The seed of a draw: HMAC-SHA256 of the lines of the closed list, with the secret as its key. */
export const seedOf = (secret: string, teams: readonly ListedTeam[]): string =>
  createHmac('sha256', Buffer.from(secret, 'hex')).update(linesOf(teams)).digest('hex')

/** SHA-256 of the lines of the closed list, which the audit trail keeps. */
export const listDigest = (teams: readonly ListedTeam[]): string => sha256(linesOf(teams))

/** The drawn order, as ids: the seeded teams by their seeds, then the others at random. */
export function drawOrder(secret: string, teams: readonly ListedTeam[]): string[] {
  const sorted = [...teams].sort(byId)
  const seeded = sorted.filter(({ seed }) => seed !== null).sort((a, b) => (a.seed ?? 0) - (b.seed ?? 0))
  const others = shuffle(
    sorted.filter(({ seed }) => seed === null),
    randomFromSeed(seedOf(secret, teams)),
  )
  return [...seeded, ...others].map(({ id }) => id)
}

/**
 * The sides of the first round for teams in their drawn order, placed as usual in knock-out tournaments: the first two can meet
 * in the final only, the first four in the semi-finals, and so on. Places beyond the number of teams are byes, so that they
 * go to the first of the order.
 */
export function firstSides<Team>(order: readonly Team[]): [Team, Team | null][] {
  const size = 2 ** roundsNeeded(order.length)
  return seedPlaces(size).map((place): [Team, Team | null] => [
    order[place - 1] as Team,
    order[size - place] ?? null,
  ])
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

/** What is published of a draw. `secret` is absent, and `order` incomplete, before the whole draw is public. */
export type PublishedDraw = {
  commitment: string
  secret?: string | null | undefined
  /** Null: the name was erased. */
  teams: readonly { id: string; name: string | null; digest: string; seed: number | null }[]
  order: readonly string[]
  algorithm: string
}

/** What does not agree in a published draw; empty where it repeats. */
export function verifyDraw({ commitment, secret, teams, order, algorithm }: PublishedDraw): string[] {
  if (algorithm !== DRAW_ALGORITHM) return ['the algorithm is not known here']
  if (!secret || !/^[0-9a-f]{64}$/.test(secret)) return ['the secret is not public yet']
  const faults: string[] = []
  if (commitmentOf(secret) !== commitment) faults.push('the secret is not the one that was promised')
  for (const { id, name, digest } of teams) {
    if (name !== null && teamDigest({ id, name }) !== digest)
      faults.push(`team ${id} is not the one that was drawn`)
  }
  const repeated = drawOrder(secret, teams)
  if (repeated.length !== order.length || repeated.some((id, index) => id !== order[index])) {
    faults.push('the order is not the one that secret and teams give')
  }
  return faults
}

/** An act as the audit trail has it. */
type Act = { seq: string; at: Date; details: Record<string, unknown>; isAsWritten: boolean }

export type RecordedDraw = {
  /** The acts that made the tournament and that drew it. */
  created: Act | undefined
  drawn: Act | undefined
  /** When registration was closed; null where the draw closed it. */
  closedAt: Date | null
}

const afterOf = ({ details }: Act): Record<string, unknown> =>
  (details['after'] ?? {}) as Record<string, unknown>

/** When nothing more could be added to the list. */
export const listClosedAt = ({ closedAt, drawn }: Pick<RecordedDraw, 'closedAt' | 'drawn'>): Date | null => {
  if (closedAt === null || drawn === undefined) return closedAt ?? drawn?.at ?? null
  return closedAt < drawn.at ? closedAt : drawn.at
}

/** What shows that the secret may have been chosen, or the list changed, afterwards; empty where it could not. */
export function verifyPromise(
  { commitment, teams }: Pick<PublishedDraw, 'commitment' | 'teams'>,
  { created, drawn, closedAt }: RecordedDraw,
): string[] {
  if (created === undefined || afterOf(created)['draw_commitment'] === undefined)
    return ['the audit trail has no promise of a secret']
  if (drawn === undefined) return ['the audit trail has no draw']
  const faults = [created, drawn]
    .filter(({ isAsWritten }) => !isAsWritten)
    .map(({ seq }) => `row ${seq} of the audit trail is not as it was written`)
  if (afterOf(created)['draw_commitment'] !== commitment)
    faults.push('the audit trail has the promise of another secret')
  const listClosed = listClosedAt({ closedAt, drawn })
  if (BigInt(created.seq) > BigInt(drawn.seq) || (listClosed !== null && created.at >= listClosed))
    faults.push('the secret was promised when the list was closed already')
  if (afterOf(drawn)['list_digest'] !== listDigest(teams))
    faults.push('the list is not the one that the audit trail has')
  return faults
}

/** The first of these names that stands among them twice, whatever its capitals. */
export function firstTwice(names: readonly string[]): string | undefined {
  const found = new Set<string>()
  return names.find((name) => {
    const key = name.toLowerCase()
    const isTwice = found.has(key)
    found.add(key)
    return isTwice
  })
}
