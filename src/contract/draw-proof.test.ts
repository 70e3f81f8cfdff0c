import { createHash, randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { byBeacon, bySecret, QUICKNET_ROUNDS } from '#tests/support/draws.ts'
import {
  type Draw,
  isSignedBy,
  lineupOf,
  listDigest,
  openOwnChain,
  orderFrom,
  orderOfPlaces,
  QUICKNET,
  randomnessOf,
  roundAfter,
  roundTime,
  seedOf,
  teamDigest,
  verifyDraw,
} from './draw-proof.ts'

const aSeed = () => randomBytes(32).toString('hex')
const teams = (count: number, seeds = 0) =>
  Array.from({ length: count }, (_, index) => ({
    id: String(index + 1),
    seed: index >= count - seeds ? count - index : null,
  }))
const faultsOf = (draw: Draw) => [...new Set(verifyDraw(draw).map((fault) => fault.of))]

describe('the beacon', () => {
  test.each(QUICKNET_ROUNDS)(
    'has signed round $round, as it was published',
    ({ round, signature, randomness }) => {
      expect(isSignedBy(QUICKNET, round, signature)).toBe(true)
      expect(randomnessOf(signature)).toBe(randomness)
      expect(isSignedBy(QUICKNET, round + 1, signature)).toBe(false)
    },
  )

  test('signs nothing that differs in a byte, or is no point of the curve', () => {
    const { round, signature } = QUICKNET_ROUNDS[0]
    const bytes = Buffer.from(signature, 'hex')
    for (const at of [0, 1, 20, 47]) {
      const other = Buffer.from(bytes)
      other[at] = bytes[at]! ^ 1
      expect(isSignedBy(QUICKNET, round, other.toString('hex')), String(at)).toBe(false)
    }
    for (const text of ['', 'x', signature.slice(2), `${signature}00`, 'f'.repeat(96), `c0${'0'.repeat(94)}`])
      expect(isSignedBy(QUICKNET, round, text), text).toBe(false)
    for (const wrong of [0, -1, 1.5, Number.NaN, 2 ** 60])
      expect(isSignedBy(QUICKNET, wrong, signature)).toBe(false)
  })

  test('signs nothing with the key of another chain', () => {
    const own = openOwnChain(new Uint8Array(randomBytes(48)))
    expect(isSignedBy(own, 5, own.sign(5))).toBe(true)
    expect(isSignedBy(QUICKNET, 5, own.sign(5))).toBe(false)
    expect(isSignedBy(own, 6, own.sign(5))).toBe(false)
  })

  test('draws by the first round that is later than the margin after the close', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_700_000_000_000, max: 2_500_000_000_000 }), (closed_ms) => {
        const round = roundAfter(QUICKNET, new Date(closed_ms))
        const earliest_ms = closed_ms + QUICKNET.margin * 1_000
        expect(roundTime(QUICKNET, round).getTime()).toBeGreaterThan(earliest_ms)
        expect(roundTime(QUICKNET, round - 1).getTime()).toBeLessThanOrEqual(earliest_ms)
      }),
    )
  })
})

describe('an order', () => {
  test('from the same seed and teams is the same, from another seed is not', () => {
    const seed = aSeed()
    const all = teams(64)
    expect(orderFrom(seed, all)).toEqual(orderFrom(seed, all.toReversed()))
    expect(orderFrom(seed, all)).not.toEqual(orderFrom(aSeed(), all))
    expect(orderFrom(seed, all).toSorted()).toEqual(all.map(({ id }) => id).toSorted())
  })

  test('puts seeded teams first, the strongest before the others', () =>
    expect(orderFrom(aSeed(), teams(12, 3)).slice(0, 3)).toEqual(['12', '11', '10']))

  test('gives every team every place equally often', () => {
    const rounds = 6_000
    const counts = new Map<string, number>()
    for (let round = 0; round < rounds; round++) {
      const seed = createHash('sha256').update(`uniform ${round}`).digest('hex')
      for (const [place, team] of orderFrom(seed, teams(6)).entries())
        counts.set(`${team} ${place}`, (counts.get(`${team} ${place}`) ?? 0) + 1)
    }
    // A thousand each; six standard deviations either way.
    expect(counts.size).toBe(36)
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(173)
  })

  test('of two gives both orders', () => {
    const first = (number: number) =>
      orderFrom(createHash('sha256').update(`${number}`).digest('hex'), teams(2))[0]
    expect(new Set([1, 2, 3, 4, 5, 6, 7, 8].map(first)).size).toBe(2)
  })
})

describe('a lineup', () => {
  const list = byBeacon().teams
  const order = byBeacon().order
  const everybody = list.map(({ id }) => id)
  const placed = list.filter(({ has_place }) => has_place).map(({ id }) => id)

  test('of those who had a place is the order', () =>
    expect(lineupOf(order, list, new Set(placed))).toEqual(order))

  test('moves nobody who stays, whoever leaves and comes in', () => {
    fc.assert(
      fc.property(fc.subarray(everybody), (playing) => {
        const stays = new Set(playing)
        const lineup = lineupOf(order, list, stays)
        expect(lineup).toHaveLength(order.length)
        const kept = (id: string) => stays.has(id)
        expect(lineup.filter((_, place) => kept(order[place]!))).toEqual(order.filter(kept))
        const entered = lineup.filter((id) => id !== null)
        expect(new Set(entered).size).toBe(entered.length)
        const waiting = playing.filter((id) => !placed.includes(id))
        const free = placed.filter((id) => !stays.has(id)).length
        expect(entered.filter((id) => !placed.includes(id))).toEqual(
          expect.arrayContaining(waiting.slice(0, Math.min(free, waiting.length))),
        )
      }),
    )
  })

  test('fills the places of those who left in the order of the list, not in the order in which they left', () => {
    const playing = new Set(everybody.filter((id) => id !== '9' && id !== '12'))
    const lineup = lineupOf(order, list, playing)
    expect([lineup[order.indexOf('9')], lineup[order.indexOf('12')]]).toEqual(['17', '18'])
  })
})

const changed = (draw: Draw, team: Partial<Draw['teams'][number]>): Draw => ({
  ...draw,
  teams: [{ ...draw.teams[0]!, ...team }, ...draw.teams.slice(1)],
})

describe('a published draw by the beacon', () => {
  const draw = byBeacon()

  test('repeats from what is published alone', () => expect(verifyDraw(draw)).toEqual([]))

  test('repeats by another round to another order', () => {
    const other = byBeacon(QUICKNET_ROUNDS[1])
    expect(verifyDraw(other)).toEqual([])
    expect(other.order).not.toEqual(draw.order)
  })

  test('repeats where a team was erased', () =>
    expect(verifyDraw(changed(draw, { name: null, members: null }))).toEqual([]))

  const { beacon } = draw
  const other = QUICKNET_ROUNDS[1]
  const own = openOwnChain(new Uint8Array(48).fill(7))
  test.each<[string, Draw, string[]]>([
    ['another name', changed(draw, { name: 'Đội khác' }), ['team']],
    ['a name that looks the same', changed(draw, { name: `${draw.teams[0]!.name}\u200b` }), ['team']],
    [
      'another member',
      changed(draw, { members: [{ character_name: 'Ninja 99', server_id: '1', is_substitute: false }] }),
      ['team'],
    ],
    [
      'a member of another server',
      changed(draw, { members: [{ ...draw.teams[0]!.members![0]!, server_id: '2' }] }),
      ['team'],
    ],
    ['another seed', changed(draw, { seed: null }), ['commitment', 'order', 'lineup']],
    ['another digest', changed(draw, { digest: '0'.repeat(64) }), ['team', 'commitment']],
    ['a team less', { ...draw, teams: draw.teams.slice(1) }, ['commitment', 'order', 'lineup']],
    ['a team twice', { ...draw, teams: [...draw.teams, draw.teams[0]!] }, ['commitment', 'order', 'lineup']],
    [
      'another close',
      { ...draw, closed_at: new Date(Date.parse(draw.closed_at!) + 1).toISOString() },
      ['beacon', 'commitment'],
    ],
    ['another tournament', { ...draw, tournament_id: '8' }, ['commitment']],
    [
      'another round',
      { ...draw, beacon: { ...beacon!, ...other } },
      ['beacon', 'commitment', 'order', 'lineup'],
    ],
    [
      'the signature of another round',
      { ...draw, beacon: { ...beacon!, signature: other.signature, randomness: other.randomness } },
      ['beacon', 'order', 'lineup'],
    ],
    ['another random number', { ...draw, beacon: { ...beacon!, randomness: '0'.repeat(64) } }, ['beacon']],
    [
      'a key of its own under the name of the public chain',
      {
        ...draw,
        beacon: {
          ...beacon!,
          chain: { ...QUICKNET, public_key: own.public_key },
          signature: own.sign(beacon!.round),
          randomness: randomnessOf(own.sign(beacon!.round)),
        },
      },
      ['beacon', 'order', 'lineup'],
    ],
    ['another order', { ...draw, order: draw.order.toReversed() }, ['order']],
    ['another lineup', { ...draw, lineup: draw.lineup.toReversed() }, ['lineup']],
    ['an empty place more', { ...draw, lineup: [...draw.lineup, null] }, ['lineup']],
    ['another algorithm', { ...draw, algorithm: 'coin' }, ['algorithm']],
    ['no close', { ...draw, closed_at: null }, ['pending']],
    ['no signature yet', { ...draw, beacon: { ...beacon!, signature: null, randomness: null } }, ['pending']],
  ])('with %s does not', (_, wrong, faults) => expect(faultsOf(wrong).toSorted()).toEqual(faults.toSorted()))

  test('has the digests and the seed that the documents describe', () => {
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
    const [team] = draw.teams
    expect(teamDigest({ id: '5', name: 'Đội 1', members: team!.members! })).toBe(
      sha256('["5","Đội 1",[["Ninja 1","1",false]]]'),
    )
    const list = {
      tournamentId: '7',
      closedAt: '2026-11-29T00:00:00.000Z',
      chain: { hash: 'aa' },
      round: 9,
      teams: [
        { id: '10', digest: 'dd', seed: null, has_place: false },
        { id: '9', digest: 'cc', seed: 1, has_place: true },
      ],
    }
    expect(listDigest(list)).toBe(
      sha256(
        'drand-list-hmac-shuffle-2\t7\t2026-11-29T00:00:00.000Z\taa\t9\n9\tcc\t1\tplace\n10\tdd\t\twaits\n',
      ),
    )
    expect(seedOf('ee', 9, 'ff')).toBe(sha256('ee\t9\tff'))
  })

  test('draws places, and not the teams that wait for one', () =>
    expect(orderOfPlaces(aSeed(), draw.teams)).toHaveLength(12))
})

describe('a published draw by a secret', () => {
  const draw = bySecret()
  test('repeats as what it is', () => expect(verifyDraw(draw)).toEqual([]))

  test.each<[string, Partial<Draw>, string[]]>([
    ['another secret', { secret: 'aa'.repeat(32) }, ['commitment', 'order']],
    ['no secret', { secret: null }, ['pending']],
    ['another name', { teams: changed(draw, { name: 'Đội khác' }).teams }, ['team']],
    ['a team less', { teams: draw.teams.slice(3) }, ['order']],
    ['another order', { order: draw.order.toReversed() }, ['order']],
  ])('with %s does not', (_, change, faults) => expect(faultsOf({ ...draw, ...change })).toEqual(faults))

  test('that was made before there was a beacon is still the same', () => {
    const teams = (
      [
        ['9', 'Đội 1', null, '8f76cf391e0e7acfeb9e533424f33b18c0b0e436886921ae4da955639e27c4c5'],
        ['10', 'Đội 2', 2, '7dde621127d596cf6f1e4c141244e87bb1ebf5ca031f5cfefccd7dbb48feefb1'],
        ['11', 'Đội 3', null, '59210d939fff6c4478d7fed113a517ac922912a49f1e72f92c20d7f1f577d4b4'],
        ['12', 'Đội 4', null, '0fee1a167e5c3d1541866d6e4280b9d4a0ccd9e38768f7209df71f7a4a842e5c'],
        ['13', 'Đội 5', 1, '1c4ada9c3e50c53acfdac2437ed40100c57734b53fb7c3a442a62f22d4d2cbe7'],
        ['14', null, null, '1bc410ef44a0e871e141438c77931a4cd863e4ed4efeced8736eacc0dae90dca'],
        ['15', 'Đội 7', null, '7f867b00010470d805a4ac6c66e9b751e36f06c5176e0470deb5c12e2d6b0385'],
      ] as const
    ).map(([id, name, seed, digest]) => ({ id, name, seed, digest, members: null, has_place: true }))
    const old: Draw = {
      ...draw,
      commitment: 'e3956867f3720b7dd7eafa1d1c1961d6b0e6457567b33d458ed263f61fd2994c',
      secret: '5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f01',
      teams,
      order: ['13', '10', '14', '11', '9', '15', '12'],
    }
    expect(verifyDraw(old)).toEqual([])
    expect(verifyDraw({ ...old, teams: teams.toReversed() })).toEqual([])
  })
})
