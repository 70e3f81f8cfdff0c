import { createHash } from 'node:crypto'
import {
  BEACON_ALGORITHM,
  type Draw,
  lineupOf,
  listDigest,
  nameDigest,
  orderBySecret,
  orderOfPlaces,
  QUICKNET,
  randomnessOf,
  roundTime,
  SECRET_ALGORITHM,
  seedOf,
  teamDigest,
} from '#contract/draw-proof.ts'

/** Rounds of quicknet as its relays answer them, published in the tests of several implementations. */
export const QUICKNET_ROUNDS = [
  {
    round: 1000,
    randomness: 'fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd',
    signature:
      'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39',
  },
  {
    round: 1001,
    randomness: 'b0a591ad1b9002cfc372ac6e30abd3da8d3088d4caae026961743474fb94235f',
    signature:
      'b33bf3667cbd5a82de3a24b4e0e9fe5513cc1a0e840368c6e31f5fcfa79bea03f73896b25883abf2853d10337fb8fa41',
  },
  {
    round: 32_398_885,
    randomness: 'b6d412641a7d58b20ef5dded4ae48e9358cc35710f90961d8fe6e99d0e0281ef',
    signature:
      '8f6d5ddd520329a4ce9a25db41c0552a5ac04bd56577138cbb0ec2b9326af2b8012c7dc2c5bcddc439d922c93a281d24',
  },
] as const

const listed = (count: number, seeds: number, waiting: number) =>
  Array.from({ length: count }, (_, index) => {
    const members = [{ character_name: `Ninja ${index + 1}`, server_id: '1', is_substitute: false }]
    const team = { id: String(index + 5), name: `Đội ${index + 1}`, members }
    const hasPlace = index < count - waiting
    return {
      ...team,
      digest: teamDigest(team),
      seed: index < seeds ? seeds - index : null,
      has_place: hasPlace,
    }
  })

/** A draw of twelve places by a round of quicknet; two teams waited, one left after the close and one of them came in. */
export function byBeacon(
  { round, signature }: { round: number; signature: string } = QUICKNET_ROUNDS[0],
): Draw {
  const teams = listed(14, 2, 2)
  // The round is the first one later than the margin.
  const closedAt = new Date(roundTime(QUICKNET, round).getTime() - QUICKNET.margin * 1_000 - 1).toISOString()
  const commitment = listDigest({ tournamentId: '7', closedAt, chain: QUICKNET, round, teams })
  const randomness = randomnessOf(signature)
  const order = orderOfPlaces(seedOf(commitment, round, randomness), teams)
  const playing = new Set(teams.map(({ id }) => id))
  playing.delete('9')
  playing.delete('18')
  return {
    algorithm: BEACON_ALGORITHM,
    tournament_id: '7',
    closed_at: closedAt,
    commitment,
    secret: null,
    beacon: { chain: QUICKNET, round, signature, randomness },
    teams,
    order,
    lineup: lineupOf(order, teams, playing),
  }
}

/** A draw as versions made it that had no beacon. */
export function bySecret(secret = '5f'.repeat(32)): Draw {
  const teams = listed(12, 2, 0).map((team) => ({ ...team, members: null, digest: nameDigest(team) }))
  const order = orderBySecret(secret, teams)
  return {
    algorithm: SECRET_ALGORITHM,
    tournament_id: '7',
    closed_at: null,
    commitment: createHash('sha256').update(Buffer.from(secret, 'hex')).digest('hex'),
    secret,
    beacon: null,
    teams,
    order,
    lineup: order,
  }
}
