import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { useReferee } from '#tests/support/fixtures.ts'
import { expireHeld } from './places.service.ts'
import { inDays } from './testing/referee.ts'
import {
  actOnTeam,
  aGroupOf,
  anEntrant,
  type Entrant,
  leaveTeam,
  luongOfEntrant,
  OPEN_TO_ALL,
  ownTeam,
  signUp,
  someEntrants,
  takeFees,
} from './testing/sign-up.ts'

const portal = useTestApp()
const referee = useReferee(portal)

const aTournament = (change: object = {}) => referee.aTournament({ ...OPEN_TO_ALL, ...change })
const entrants = (count: number, luong = 0) => someEntrants(portal, count, luong)
const leave = (id: string, team: string, entrant: Entrant) => leaveTeam(portal, { id, team }, entrant)
const aGroup = (change: object = {}, luong = 0) => aGroupOf(portal, referee, { change, luong })

describe('the fee', () => {
  test('is taken from the captain when the members are complete, and the team is admitted then', async () => {
    const { id, captain, others, accept } = await aGroup({ fee: 100 }, 150)
    for (const entrant of others.slice(0, 2)) await accept(entrant)
    await takeFees(portal)
    expect(await luongOfEntrant(portal, captain)).toBe(150)
    await accept(others[2]!)
    expect(await ownTeam(portal, id, captain)).toMatchObject({
      state: 'held',
      charges: [{ state: 'pending' }],
    })
    await takeFees(portal)
    expect(await luongOfEntrant(portal, captain)).toBe(50)
    expect(await ownTeam(portal, id, captain)).toMatchObject({
      state: 'admitted',
      charges: [{ luong: 100, state: 'applied' }],
    })
  })

  test('is shared by the members where the operator wants that, the captain paying the rest', async () => {
    const { captain, others, accept } = await aGroup({ fee: 103, fee_payer: 'member' }, 50)
    for (const entrant of others) await accept(entrant)
    await takeFees(portal)
    expect(await Promise.all([captain, ...others].map((one) => luongOfEntrant(portal, one)))).toEqual([
      22, 25, 25, 25,
    ])
  })

  test('that a character does not have is asked for again when the player says so', async () => {
    const id = await aTournament({ fee: 100 })
    const entrant = await anEntrant(portal, { luong: 99 })
    const { body } = await signUp(portal, id, entrant)
    await takeFees(portal)
    expect(await ownTeam(portal, id, entrant)).toMatchObject({
      state: 'held',
      charges: [{ state: 'refused', reason: 'insufficient' }],
    })
    await sql`UPDATE game.characters SET luong = 100 WHERE id = ${entrant.character}::bigint`.execute(
      portal.db,
    )
    await takeFees(portal)
    expect(await luongOfEntrant(portal, entrant)).toBe(100)
    await actOnTeam(portal, { id, team: body.id, path: 'pay' }, entrant)
    await takeFees(portal)
    expect(await ownTeam(portal, id, entrant)).toMatchObject({ state: 'admitted' })
    expect(await luongOfEntrant(portal, entrant)).toBe(0)
  })

  test('is given back once when the team leaves, is put out, or the tournament is cancelled', async () => {
    const id = await aTournament({ fee: 100 })
    const [a, b, c] = (await entrants(3, 100)) as [Entrant, Entrant, Entrant]
    const teams = []
    for (const entrant of [a, b, c]) teams.push((await signUp(portal, id, entrant)).body.id as string)
    await takeFees(portal)
    await leave(id, teams[0]!, a)
    await referee.act(id, `/teams/${teams[1]}/withdraw`)
    await takeFees(portal)
    expect(await Promise.all([a, b, c].map((one) => luongOfEntrant(portal, one)))).toEqual([100, 100, 0])
    await referee.act(id, '/cancel')
    await takeFees(portal)
    await takeFees(portal)
    expect(await luongOfEntrant(portal, c)).toBe(100)
    expect(await ownTeam(portal, id, c)).toMatchObject({ charges: [{ state: 'refunded' }] })
  })

  test('is asked from nobody who waits when the places of a cancelled tournament run out', async () => {
    const id = await aTournament({ fee: 100, max_round: 1 })
    const [a, b] = (await entrants(2)) as [Entrant, Entrant]
    const waiting = await anEntrant(portal, { luong: 100 })
    for (const entrant of [a, b, waiting]) await signUp(portal, id, entrant)
    await takeFees(portal)
    await referee.act(id, '/cancel')
    await sql`UPDATE teams SET held_until = now() - interval '1 second' WHERE tournament_id = ${id}::bigint AND state = 'held'`.execute(
      portal.db,
    )
    await expireHeld(portal.deps)
    await takeFees(portal)
    expect(await luongOfEntrant(portal, waiting)).toBe(100)
    expect(await ownTeam(portal, id, waiting)).toMatchObject({ state: 'waiting', charges: [] })
  })

  test('that was on its way when the team left is never kept', async () => {
    const id = await aTournament({ fee: 100 })
    const entrant = await anEntrant(portal, { luong: 100 })
    const { body } = await signUp(portal, id, entrant)
    await leave(id, body.id, entrant)
    await takeFees(portal)
    expect(await luongOfEntrant(portal, entrant)).toBe(100)
    const charges = await sql<{ id: string; state: string }>`
      SELECT id, state FROM tournament_charges WHERE team_id = ${body.id}::bigint`.execute(portal.db)
    expect(charges.rows).toEqual([expect.objectContaining({ state: 'refunded' })])
    // A late copy of the charge itself takes nothing any more.
    const late = await portal.deps.game.charge({
      id: charges.rows[0]!.id,
      serverId: '1',
      account: entrant.player.username.toLowerCase(),
      characterId: entrant.character,
      luong: 100,
    })
    expect(late).toEqual({ kind: 'refused', reason: 'refunded' })
  })

  test('stays as it was when teams have registered', async () => {
    const id = await aTournament({ fee: 100 })
    await signUp(portal, id, await anEntrant(portal, { luong: 100 }))
    const fields = { ...OPEN_TO_ALL, name: 'Song Đấu', fee: 200, mode: 1, type: 1, max_round: 3 }
    const { body } = await referee.send('PUT', referee.at(id), {
      ...fields,
      registration_start_at: inDays(-2),
      competition_start_at: inDays(2),
      updated_at: await referee.updatedAt(id),
    })
    expect(body).toHaveProperty('errors.fee')
  })
})
