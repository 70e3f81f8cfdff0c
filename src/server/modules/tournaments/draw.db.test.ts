import { sql } from 'kysely'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { verifyDraw, type Draw } from '#contract/draw-proof.ts'
import { testBeacon, useTestApp } from '#tests/support/app.ts'
import { QUICKNET_ROUNDS } from '#tests/support/draws.ts'
import { useReferee } from '#tests/support/fixtures.ts'
import { anOperator } from '#tests/support/operators.ts'
import { closeDue } from './freeze.service.ts'
import { inDays, someTeams, type TestMatch } from './testing/referee.ts'
import {
  actOnTeam,
  anEntrant,
  leaveTeam,
  OPEN_TO_ALL,
  ownTeam,
  signUp,
  someEntrants,
  type Entrant,
} from './testing/sign-up.ts'

const portal = useTestApp()
const referee = useReferee(portal)

const drawOf = async (id: string): Promise<Draw> =>
  (await portal.call('GET', `/api/tournaments/${id}/draw`)).body
const untilRound = async (id: string) =>
  setTimeout(Math.max(0, Date.parse((await referee.read(id)).draw_from) - Date.now() + 1))

/** Entered by an operator and closed. */
async function aClosedList(count: number, change: object = {}): Promise<string> {
  const id = await referee.aTournament(change)
  await referee.addTeams(id, someTeams(count))
  expect((await referee.act(id, '/close')).status).toBe(200)
  return id
}

describe('the close', () => {
  test('records the digest of the list and its round, for everybody and in the audit trail', async () => {
    const id = await aClosedList(4)
    const draw = await drawOf(id)
    expect(draw).toMatchObject({ commitment: expect.stringMatching(/^[0-9a-f]{64}$/), order: [], lineup: [] })
    expect(verifyDraw(draw).map((fault) => fault.of)).toEqual(['pending'])
    const shown = (await portal.call('GET', `/api/tournaments/brackets/${id}`)).body.tournament
    expect([shown.draw_commitment, shown.draw_round]).toEqual([draw.commitment, draw.beacon?.round])
    const { rows } = await sql<{ details: { after: object } }>`
      SELECT details FROM audit_log WHERE subject_type = 'tournament' AND subject_id = ${id}
         AND action = 'tournaments.freeze'`.execute(portal.db)
    expect(rows).toEqual([
      {
        details: expect.objectContaining({
          after: expect.objectContaining({ list_digest: draw.commitment, round: draw.beacon?.round }),
        }),
      },
    ])
  })

  test('by its date does the same, also where a version before has closed registration', async () => {
    const [due, left] = [await referee.aTournament(), await referee.aTournament()]
    for (const id of [due, left]) await referee.addTeams(id, someTeams(2))
    await sql`UPDATE tournaments SET competition_start_at = now() - interval '1 second' WHERE id = ${due}::bigint`.execute(
      portal.db,
    )
    await sql`UPDATE tournaments SET closed_at = now() WHERE id = ${left}::bigint`.execute(portal.db)
    await closeDue(portal.deps)
    for (const id of [due, left]) {
      expect((await drawOf(id)).commitment).toEqual(expect.any(String))
      expect((await referee.draw(id)).status).toBe(200)
      expect(verifyDraw(await drawOf(id))).toEqual([])
    }
  })

  test('ends every change of names, members and seeds, by whom ever', async () => {
    const id = await referee.aTournament({ ...OPEN_TO_ALL, type: 2, max_round: 2, check_in_minutes: 0 })
    const [captain, ...others] = (await someEntrants(portal, 5)) as [Entrant, ...Entrant[]]
    const invites = others.slice(0, 3).map(({ player }) => player.username)
    const { body: team } = await signUp(portal, id, captain, { invites })
    const accept = (entrant: Entrant) =>
      actOnTeam(portal, { id, team: team.id, path: 'accept' }, entrant, { character_id: entrant.character })
    for (const entrant of others.slice(0, 3)) expect((await accept(entrant)).status).toBe(200)
    await referee.addTeams(id, [{ name: 'Đội nhà', members: ['A', 'B', 'C', 'D'] }])
    await referee.act(id, '/close')
    const before = await drawOf(id)
    const updated_at = await referee.updatedAt(id)
    const house = (await referee.read(id)).teams[1].id
    const refusals = [
      await portal.call('PUT', `/api/tournaments/${id}/teams/${team.id}`, {
        token: captain.player.token,
        body: { name: 'Tên Mới', invites },
      }),
      await leaveTeam(portal, { id, team: team.id }, others[0]!),
      await referee.send('PUT', referee.at(id, `/teams/${team.id}`), {
        name: 'Tên Mới',
        members: ['Z'],
        updated_at,
      }),
      await referee.send('PUT', referee.at(id, `/teams/${house}`), {
        name: 'Đội nhà',
        members: ['Z'],
        updated_at,
      }),
      await referee.send('PUT', referee.at(id, '/seeds'), { teams: [house], updated_at }),
      await referee.addTeams(id, someTeams(1)),
    ]
    expect(refusals.map(({ status, body }) => [status, body.code])).toEqual(
      refusals.map(() => [409, 'CONFLICT']),
    )
    const owner = await anOperator(portal, 'owner')
    const byOwner = await portal.call('PUT', referee.at(id, '/seeds'), {
      token: owner.token,
      body: { teams: [house], updated_at, reason: 'Đổi hạt giống' },
    })
    expect(byOwner.body.code).toBe('CONFLICT')
    expect(await drawOf(id)).toEqual(before)
    // The whole team may go; the list stays what it was.
    expect((await leaveTeam(portal, { id, team: team.id }, captain)).status).toBe(200)
    expect(await drawOf(id)).toEqual(before)
    expect(await ownTeam(portal, id, captain)).toMatchObject({ state: 'withdrawn', withdrawn_for: 'left' })
  })

  test('keeps what decides about who plays', async () => {
    const id = await aClosedList(3, { max_round: 2 })
    const read = await referee.read(id)
    const fields = Object.fromEntries(
      [
        'name',
        'registration_start_at',
        'competition_start_at',
        'mode',
        'fee',
        'type',
        'min_level',
        'max_level',
        'max_round',
        'allowed_classes',
      ].map((name) => [name, read[name]]),
    )
    const change = async (changed: object) =>
      referee.send('PUT', referee.at(id), { ...fields, ...changed, updated_at: await referee.updatedAt(id) })
    for (const [field, value] of Object.entries({
      max_round: 3,
      type: 2,
      substitutes: 1,
      check_in_minutes: 5,
      server_id: '1',
    }))
      expect(Object.keys((await change({ [field]: value })).body.errors)).toEqual([field])
    expect((await change({ name: 'Tên giải mới' })).status).toBe(200)
  })

  test('puts out teams that can not become complete any more', async () => {
    const id = await referee.aTournament({ ...OPEN_TO_ALL, type: 2, check_in_minutes: 0 })
    const captain = await anEntrant(portal)
    await signUp(portal, id, captain)
    await referee.addTeams(id, [
      { name: 'Một', members: ['A'] },
      { name: 'Hai', members: ['B'] },
    ])
    await referee.act(id, '/close')
    expect(await ownTeam(portal, id, captain)).toMatchObject({
      state: 'withdrawn',
      withdrawn_for: 'not-admitted',
    })
    expect((await drawOf(id)).teams.map(({ name }) => name)).toEqual(['Một', 'Hai'])
  })

  test('before check-in has opened asks nobody to have checked in', async () => {
    const id = await referee.aTournament({
      ...OPEN_TO_ALL,
      check_in_minutes: 30,
      competition_start_at: inDays(2),
    })
    const entrants = await someEntrants(portal, 2)
    for (const entrant of entrants) await signUp(portal, id, entrant)
    await referee.act(id, '/close')
    for (const entrant of entrants)
      expect(await ownTeam(portal, id, entrant)).toMatchObject({ state: 'admitted' })
  })
})

describe('the database keeps a closed list', () => {
  test.each([
    ['a name', sql`UPDATE teams SET name = name || ' '`],
    ['a seed', sql`UPDATE teams SET seed = 9`],
    [
      'a team more',
      sql`INSERT INTO teams (tournament_id, name) SELECT DISTINCT tournament_id, 'Thêm' FROM teams`,
    ],
    ['a member', sql`UPDATE team_members SET character_name = character_name || 'x'`],
    ['the place of a member', sql`UPDATE team_members SET position = position + 1`],
    ['a member less', sql`DELETE FROM team_members`],
    [
      'a member more',
      sql`INSERT INTO team_members (tournament_id, team_id, position, character_name) SELECT tournament_id, id, 7, 'Thêm' || id FROM teams`,
    ],
  ])('against %s', async (_, statement) => {
    const id = await aClosedList(2)
    await expect(sql`${statement} WHERE tournament_id = ${id}::bigint`.execute(portal.db)).rejects.toThrow(
      'the list of a tournament stays as it was closed',
    )
  })

  test('against another list, digest, beacon, round or moment, and against a draw without its beacon', async () => {
    const id = await aClosedList(2)
    for (const column of ['list', 'list_digest', 'chain', 'round', 'closed_at'])
      await expect(
        sql`UPDATE tournament_draw SET ${sql.ref(column)} = ${sql.ref(column)} WHERE tournament_id = ${id}::bigint`.execute(
          portal.db,
        ),
      ).rejects.toThrow('permission denied')
    await expect(
      sql`DELETE FROM tournament_draw WHERE tournament_id = ${id}::bigint`.execute(portal.db),
    ).rejects.toThrow('permission denied')
    await expect(
      sql`UPDATE tournaments SET drawn_at = now(), drawn_list = '[]' WHERE id = ${id}::bigint`.execute(
        portal.db,
      ),
    ).rejects.toThrow('a closed list is drawn by its beacon')
    await referee.draw(id)
    await expect(
      sql`UPDATE tournament_draw SET signature = repeat('a', 96) WHERE tournament_id = ${id}::bigint`.execute(
        portal.db,
      ),
    ).rejects.toThrow('the signature of a draw never changes')
  })
})

describe('a place', () => {
  test('whose team leaves after the close moves nobody: a waiting team takes it, or it stays empty', async () => {
    const id = await referee.aTournament({ ...OPEN_TO_ALL, max_round: 2, check_in_minutes: 0 })
    const entrants = await someEntrants(portal, 5)
    const teams: string[] = []
    for (const entrant of entrants) teams.push((await signUp(portal, id, entrant)).body.id)
    await referee.act(id, '/close')
    const closed = await drawOf(id)
    expect(closed.teams.map(({ has_place }) => has_place)).toEqual([true, true, true, true, false])
    await untilRound(id)
    // Everybody knows the order by now; leaving helps nobody to another opponent.
    await leaveTeam(portal, { id, team: teams[1]! }, entrants[1]!)
    await referee.act(id, `/teams/${teams[2]}/withdraw`)
    expect((await referee.draw(id)).status).toBe(200)
    const draw = await drawOf(id)
    expect(verifyDraw(draw)).toEqual([])
    expect([draw.commitment, draw.teams]).toEqual([closed.commitment, closed.teams])
    expect(draw.order.toSorted()).toEqual(teams.slice(0, 4).toSorted())
    const expected = draw.order.map((team) =>
      team === teams[1] ? teams[4] : team === teams[2] ? null : team,
    )
    expect(draw.lineup).toEqual(expected)
    const { matches } = await referee.read(id)
    const sides = (matches as TestMatch[])
      .filter(({ round }) => round === 1)
      .flatMap(({ team1_id, team2_id }) => [team1_id, team2_id])
    expect(sides).toEqual([expected[0], expected[3], expected[1], expected[2]])
  })
})

describe('a draw', () => {
  test('waits for the close and for the time of its round', async () => {
    const id = await referee.aTournament()
    await referee.addTeams(id, someTeams(2))
    expect((await referee.act(id, '/draw')).body.message).toContain('Hãy đóng đăng ký')
    await referee.act(id, '/close')
    expect((await referee.draw(id)).status).toBe(200)
  })

  test('is not made before its round has come', async () => {
    const { beacon } = portal.deps
    portal.deps.beacon = { ...beacon, chain: { ...beacon.chain, margin: 3_600 } }
    try {
      const id = await aClosedList(2)
      const signature = await testBeacon.read(1, portal.deps)
      for (const body of [{}, { beacon: JSON.stringify({ round: 1, signature }) }])
        expect((await referee.act(id, '/draw', body)).body).toMatchObject({
          code: 'CONFLICT',
          message: expect.stringMatching(/^Số ngẫu nhiên để bốc thăm có lúc .+:\d\d\./),
        })
      expect((await drawOf(id)).order).toEqual([])
    } finally {
      portal.deps.beacon = beacon
    }
  })

  test('is made with what anybody brings of the round, once the beacon has signed it', async () => {
    const id = await aClosedList(4)
    const { round, chain } = (await drawOf(id)).beacon!
    await untilRound(id)
    const signature = await testBeacon.read(round, portal.deps)
    const pasted = (change: object) => JSON.stringify({ round, randomness: 'x', signature, ...change })
    const silent = portal.deps.beacon.read
    portal.deps.beacon.read = async () => null
    try {
      const nobody = await referee.act(id, '/draw')
      expect([nobody.status, nobody.body.message]).toEqual([409, expect.stringContaining(`vòng ${round}`)])
      const wrong = [
        'x',
        '{}',
        '[]',
        pasted({ round: round + 1 }),
        pasted({ signature: `${signature!.slice(0, -1)}${signature!.endsWith('0') ? '1' : '0'}` }),
        pasted({ signature: QUICKNET_ROUNDS[0].signature }),
        JSON.stringify(QUICKNET_ROUNDS[0]),
      ]
      for (const beacon of wrong) {
        const { status, body } = await referee.act(id, '/draw', { beacon })
        expect([status, Object.keys(body.errors ?? {})], beacon).toEqual([422, ['beacon']])
      }
      expect((await referee.act(id, '/draw', { beacon: pasted({}) })).status).toBe(200)
    } finally {
      portal.deps.beacon.read = silent
    }
    const draw = await drawOf(id)
    expect(verifyDraw(draw)).toEqual([])
    expect([draw.beacon?.chain, draw.beacon?.signature]).toEqual([chain, signature])
  })
})
