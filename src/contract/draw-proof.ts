import { bls12_381 } from '@noble/curves/bls12-381.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { AnswerOf } from './endpoint.ts'
import type { getDraw } from './tournaments.ts'

// How the order of a tournament follows from its closed list and from a random number that nobody had when the list was
// closed. Server, command line and browser compute it with this file; docs/decisions/0072 has it in words.

/** A published draw, as `GET /api/tournaments/{id}/draw` answers it. */
export type Draw = AnswerOf<typeof getDraw>

/** A beacon: a chain of rounds, each signed at its time with a key that nobody has alone. */
export type Chain = NonNullable<Draw['beacon']>['chain']

/**
 * The chain “quicknet” of drand, the beacon of the League of Entropy. What is signed there is known to nobody before the
 * time of the round, and is the same for everybody after it. `margin` is ours: the list is closed for so many seconds at
 * least before the round that draws it, so that a clock that is a little off changes nothing.
 */
export const QUICKNET: Chain = {
  name: 'quicknet',
  hash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  public_key:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  genesis_time: 1_692_803_367,
  period: 3,
  margin: 60,
}

/** The names of the two ways of drawing. The first was used before there was a beacon. */
export const SECRET_ALGORITHM = 'sha256-list-hmac-shuffle-1'
export const BEACON_ALGORITHM = 'drand-list-hmac-shuffle-2'

const digestOf = (text: string | Uint8Array): string =>
  bytesToHex(sha256(typeof text === 'string' ? utf8ToBytes(text) : text))

/** The first round that is signed later than `margin` seconds after the close. */
export function roundAfter({ genesis_time, period, margin }: Chain, closedAt: Date): number {
  const from = closedAt.getTime() / 1_000 + margin
  return Math.max(1, Math.floor((from - genesis_time) / period) + 2)
}

export const roundTime = ({ genesis_time, period }: Chain, round: number): Date =>
  new Date((genesis_time + (round - 1) * period) * 1_000)

const SCHEME = bls12_381.shortSignatures
const DOMAIN = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_'

/** What is signed of a round: SHA-256 of its number in eight bytes. */
function messageOf(round: number) {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(round))
  return SCHEME.hash(sha256(bytes), DOMAIN)
}

/** Whether the signature is the chain's of this round (drand’s scheme bls-unchained-g1-rfc9380). */
export function isSignedBy(
  { public_key }: Pick<Chain, 'public_key'>,
  round: number,
  signature: string,
): boolean {
  if (!/^[0-9a-f]{96}$/.test(signature) || !Number.isSafeInteger(round) || round < 1) return false
  try {
    return SCHEME.verify(SCHEME.Signature.fromHex(signature), messageOf(round), hexToBytes(public_key))
  } catch {
    // Bytes that are no point of the curve are no signature either.
    return false
  }
}

/** A chain of one's own, from 48 random bytes: what a demo, which has no network, draws with. */
export function openOwnChain(secret: Uint8Array) {
  const { secretKey, publicKey } = SCHEME.keygen(secret)
  return {
    public_key: publicKey.toHex(),
    sign: (round: number): string => SCHEME.Signature.toHex(SCHEME.sign(messageOf(round), secretKey)),
  }
}

/** The random number of a round. */
export const randomnessOf = (signature: string): string => digestOf(hexToBytes(signature))

type Member = NonNullable<Draw['teams'][number]['members']>[number]

/** SHA-256 of the JSON array `[id, name, [[character, server or null, is substitute], …]]` without blanks. */
export const teamDigest = ({
  id,
  name,
  members,
}: {
  id: string
  name: string
  members: readonly Member[]
}): string =>
  digestOf(
    JSON.stringify([
      id,
      name,
      members.map(({ character_name, server_id, is_substitute }) => [
        character_name,
        server_id,
        is_substitute,
      ]),
    ]),
  )

export type ListedTeam = Pick<Draw['teams'][number], 'id' | 'digest' | 'seed' | 'has_place'>

/** By number, since ids are longer than a JavaScript number holds exactly. */
const byId = (a: { id: string }, b: { id: string }) => a.id.length - b.id.length || (a.id < b.id ? -1 : 1)

export type ClosedList = {
  tournamentId: string
  closedAt: string
  chain: Pick<Chain, 'hash'>
  round: number
  teams: readonly ListedTeam[]
}

/**
 * SHA-256 of the closed list: a line of algorithm, tournament, moment of the close, chain and round, then a line of id,
 * digest, seed (or nothing) and `place` or `waits` for each team in the order of the ids; tabs between, a line feed after each.
 */
export function listDigest({ tournamentId, closedAt, chain, round, teams }: ClosedList): string {
  const head = [BEACON_ALGORITHM, tournamentId, closedAt, chain.hash, round]
  const lines = [...teams]
    .sort(byId)
    .map(({ id, digest, seed, has_place }) => [id, digest, seed ?? '', has_place ? 'place' : 'waits'])
  return digestOf([head, ...lines].map((line) => `${line.join('\t')}\n`).join(''))
}

/** The seed of a draw: SHA-256 of the list’s digest, the round and its random number, tabs between. */
export const seedOf = (commitment: string, round: number, randomness: string): string =>
  digestOf(`${commitment}\t${round}\t${randomness}`)

const RANGE = 2 ** 32

/** Numbers from 0 to `bound` − 1 that follow from the seed alone: HMAC-SHA256 of a counter, values beyond the last whole multiple left out. */
function randomFrom(seed: string): (bound: number) => number {
  const key = hexToBytes(seed)
  let counter = 0
  return (bound) => {
    const limit = RANGE - (RANGE % bound)
    for (;;) {
      const bytes = hmac(sha256, key, utf8ToBytes(String(counter++)))
      const value = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
      if (value < limit) return value % bound
    }
  }
}

type Seeded = { id: string; seed: number | null }

/** The drawn order, as ids: the seeded teams by their seeds, then the others at random (Fisher and Yates). */
export function orderFrom(seed: string, teams: readonly Seeded[]): string[] {
  const sorted = [...teams].sort(byId)
  const seeded = sorted.filter((team) => team.seed !== null).sort((a, b) => (a.seed ?? 0) - (b.seed ?? 0))
  const others = sorted.filter((team) => team.seed === null)
  const below = randomFrom(seed)
  for (let last = others.length - 1; last > 0; last--) {
    const chosen = below(last + 1)
    const moved = others[last] as Seeded
    others[last] = others[chosen] as Seeded
    others[chosen] = moved
  }
  return [...seeded, ...others].map(({ id }) => id)
}

/** The order of the places: of the teams that had one when the list was closed. */
export const orderOfPlaces = (seed: string, teams: readonly ListedTeam[]): string[] =>
  orderFrom(
    seed,
    teams.filter(({ has_place }) => has_place),
  )

/**
 * Who plays at each place of the order. Nobody moves another: whoever left after the close leaves a place empty, and the
 * places are filled, by the ids of those who left, with the waiting teams that came in, by theirs. Null: a place stays empty.
 */
export function lineupOf(
  order: readonly string[],
  teams: readonly ListedTeam[],
  playing: ReadonlySet<string>,
): (string | null)[] {
  const sorted = [...teams].sort(byId)
  const newcomers = sorted.filter(({ id, has_place }) => !has_place && playing.has(id))
  const left = sorted.filter(({ id, has_place }) => has_place && !playing.has(id))
  const inPlaceOf = new Map(left.map(({ id }, index) => [id, newcomers[index]?.id ?? null]))
  return order.map((id) => (playing.has(id) ? id : (inPlaceOf.get(id) ?? null)))
}

/** What does not agree in a published draw. */
export type DrawFault = {
  of: 'algorithm' | 'pending' | 'commitment' | 'team' | 'beacon' | 'order' | 'lineup'
  text: string
}

/** What does not agree in a published draw; empty where it repeats. Needs nothing but the draw. */
export function verifyDraw(draw: Draw): DrawFault[] {
  if (draw.algorithm === SECRET_ALGORITHM) return verifySecretDraw(draw)
  if (draw.algorithm !== BEACON_ALGORITHM)
    return [{ of: 'algorithm', text: 'the algorithm is not known here' }]
  const { beacon, commitment, closed_at, teams } = draw
  if (beacon === null || commitment === null || closed_at === null)
    return [{ of: 'pending', text: 'the list is not closed yet' }]
  const { chain, round } = beacon
  const faults = [...teams.flatMap(faultOfTeam), ...faultsOfBeacon(draw)]
  const list = { tournamentId: draw.tournament_id, closedAt: closed_at, chain, round, teams }
  if (listDigest(list) !== commitment || new Set(teams.map(({ id }) => id)).size !== teams.length)
    faults.push({ of: 'commitment', text: 'the list is not the one whose digest was published' })
  if (beacon.signature === null) return [...faults, { of: 'pending', text: 'the draw is not public yet' }]
  const order = orderOfPlaces(seedOf(commitment, round, randomnessOf(beacon.signature)), teams)
  if (!isSame(order, draw.order))
    faults.push({ of: 'order', text: 'the order is not the one that list and random number give' })
  const playing = new Set(draw.lineup.filter((id) => id !== null))
  if (!isSame(lineupOf(order, teams, playing), draw.lineup))
    faults.push({ of: 'lineup', text: 'the teams do not stand where the order puts them' })
  return faults
}

const isSame = (one: readonly (string | null)[], other: readonly (string | null)[]): boolean =>
  one.length === other.length && one.every((id, index) => id === other[index])

function faultOfTeam({ id, name, members, digest }: Draw['teams'][number]): DrawFault[] {
  if (name === null || members === null || teamDigest({ id, name, members }) === digest) return []
  return [{ of: 'team', text: `team ${id} is not the one of the closed list` }]
}

function faultsOfBeacon({ beacon, closed_at }: Draw): DrawFault[] {
  if (beacon === null || closed_at === null) return []
  const { chain, round, signature, randomness } = beacon
  const faults: DrawFault[] = []
  const fault = (text: string) => faults.push({ of: 'beacon', text })
  if (!isKnown(chain)) fault('the beacon is not the public one')
  if (roundAfter(chain, new Date(closed_at)) !== round)
    fault('the round is not the first one after the close')
  if (signature === null) return faults
  if (!isSignedBy(chain, round, signature)) fault('the signature is not the beacon’s of this round')
  else if (randomnessOf(signature) !== randomness) fault('the random number is not the hash of the signature')
  return faults
}

/** The public chain, or a demo's own, which proves nothing and says so. */
function isKnown(chain: Chain): boolean {
  if (chain.name === 'demo') return true
  return (Object.keys(QUICKNET) as (keyof Chain)[]).every((fact) => chain[fact] === QUICKNET[fact])
}

/** The same as `teamDigest` for the draws by a secret: SHA-256 of id and name, a tab between them. */
export const nameDigest = ({ id, name }: { id: string; name: string }): string => digestOf(`${id}\t${name}`)

/** A draw by a secret whose hash was published with the tournament: it shows that the secret stayed, not who knew it. */
function verifySecretDraw({ commitment, secret, teams, order }: Draw): DrawFault[] {
  if (!secret || !/^[0-9a-f]{64}$/.test(secret))
    return [{ of: 'pending', text: 'the secret is not public yet' }]
  const faults: DrawFault[] = []
  if (digestOf(hexToBytes(secret)) !== commitment)
    faults.push({ of: 'commitment', text: 'the secret is not the one that was promised' })
  for (const { id, name, digest } of teams) {
    if (name !== null && nameDigest({ id, name }) !== digest)
      faults.push({ of: 'team', text: `team ${id} is not the one that was drawn` })
  }
  if (!isSame(orderBySecret(secret, teams), order))
    faults.push({ of: 'order', text: 'the order is not the one that secret and teams give' })
  return faults
}

const secretLines = (teams: readonly Pick<ListedTeam, 'id' | 'digest' | 'seed'>[]): string =>
  [...teams]
    .sort(byId)
    .map(({ id, digest, seed }) => `${id}\t${digest}\t${seed ?? ''}\n`)
    .join('')

/** SHA-256 of the list of a draw by a secret, which the audit trail has. */
export const secretListDigest = (teams: readonly Pick<ListedTeam, 'id' | 'digest' | 'seed'>[]): string =>
  digestOf(secretLines(teams))

/** The order of a draw by a secret: its seed is HMAC-SHA256 of the list under the secret. */
export const orderBySecret = (
  secret: string,
  teams: readonly Pick<ListedTeam, 'id' | 'digest' | 'seed'>[],
): string[] => orderFrom(bytesToHex(hmac(sha256, hexToBytes(secret), utf8ToBytes(secretLines(teams)))), teams)
