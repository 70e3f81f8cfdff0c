import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import type { PublicTeam } from '#contract/tournament-teams.ts'
import { useTestApp } from '#tests/support/app.ts'
import { useReferee } from '#tests/support/fixtures.ts'
import { aPlayer, ban } from '#tests/support/players.ts'
import { charactersOf } from '#tests/support/purchases.ts'
import { gameSays } from '#tests/support/rewards.ts'
import { closeDue } from './freeze.service.ts'
import { expireHeld } from './places.service.ts'
import { inDays, someTeams } from './testing/referee.ts'
import {
  actOnTeam,
  aGroupOf,
  anEntrant,
  type Entrant,
  leaveTeam,
  OPEN_TO_ALL,
  ownTeam,
  signUp,
  someEntrants,
} from './testing/sign-up.ts'

const portal = useTestApp()
const referee = useReferee(portal)

const aTournament = (change: object = {}) => referee.aTournament({ ...OPEN_TO_ALL, ...change })

const teamsOf = async (id: string): Promise<PublicTeam[]> =>
  (await portal.call('GET', `/api/tournaments/${id}/teams`)).body

const entrants = (count: number, luong = 0) => someEntrants(portal, count, luong)
const leave = (id: string, team: string, entrant: Entrant) => leaveTeam(portal, { id, team }, entrant)
const aGroup = (change: object = {}, luong = 0) => aGroupOf(portal, referee, { change, luong })

describe('sign-up', () => {
  test('of a duel without fee admits the player at once, and everybody sees the character', async () => {
    const id = await aTournament()
    const entrant = await anEntrant(portal)
    const { status, body } = await signUp(portal, id, entrant, { name: 'Độc Hành' })
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        name: 'Độc Hành',
        state: 'admitted',
        position: null,
        is_captain: true,
        fee: 0,
      }),
    ])
    expect(await teamsOf(id)).toEqual([
      {
        id: body.id,
        name: 'Độc Hành',
        state: 'admitted',
        position: null,
        has_checked_in: false,
        members: [{ character_name: body.members[0].character_name, is_substitute: false }],
      },
    ])
    expect((await portal.call('GET', `/api/tournaments/brackets/${id}`)).body.tournament.team_count).toBe(1)
  })

  test('of a group holds its place until everybody has accepted with a character', async () => {
    const { id, team, captain, others, accept } = await aGroup()
    expect(await ownTeam(portal, id, captain)).toMatchObject({
      state: 'held',
      held_until: expect.any(String),
    })
    const [first] = others as [Entrant]
    const { body: invitations } = await portal.call('GET', '/api/tournaments/invitations', {
      token: first.player.token,
    })
    expect(invitations).toEqual([expect.objectContaining({ tournament_id: id, team_id: team })])
    for (const entrant of others) expect((await accept(entrant)).status).toBe(200)
    expect(await ownTeam(portal, id, captain)).toMatchObject({ state: 'admitted', held_until: null })
    expect((await accept(first)).body.code).toBe('CONFLICT')
  })

  test('takes substitutes where the tournament allows them, after the players', async () => {
    const id = await aTournament({ substitutes: 1 })
    const [captain, substitute, third] = (await entrants(3)) as [Entrant, Entrant, Entrant]
    const { body } = await signUp(portal, id, captain, { invites: [substitute.player.username] })
    await actOnTeam(portal, { id, team: body.id, path: 'accept' }, substitute, {
      character_id: substitute.character,
    })
    expect((await ownTeam(portal, id, captain)).members.map(({ is_substitute }) => is_substitute)).toEqual([
      false,
      true,
    ])
    const { body: refused } = await signUp(portal, id, third, {
      invites: [captain.player.username, substitute.player.username],
    })
    expect(refused.errors.invites[0]).toContain('tối đa 1')
  })

  test.each([
    [{ min_level: 150 }, 'Giải dành cho nhân vật từ cấp 150'],
    [{ max_level: 2 }, 'đến cấp 2'],
    [{ server_id: '2' }, 'máy chủ khác'],
  ])('with %j asks the game what the character is', async (limits, text) => {
    const id = await aTournament({ ...limits, ...('max_level' in limits && { min_level: 1 }) })
    const { status, body } = await signUp(portal, id, await anEntrant(portal))
    expect([status, body.errors]).toEqual([422, { character_id: [expect.stringContaining(text)] }])
  })

  test('asks for no level in a game that has none', async () => {
    const entrant = await anEntrant(portal)
    const id = await aTournament({ min_level: 150 })
    const list = vi.spyOn(portal.deps.game, 'listCharacters')
    const trying = async (level: number, boards: string[]) => {
      await gameSays(portal, { boards })
      const character = { id: entrant.character, name: 'khongcap', head: 1, classId: 1, level }
      list.mockResolvedValueOnce([character])
      return (await signUp(portal, id, entrant)).status
    }
    expect(await trying(0, ['level', 'luong'])).toBe(422)
    expect(await trying(149, ['luong'])).toBe(422)
    expect(await trying(0, ['luong'])).toBe(201)
    list.mockRestore()
  })

  test('of a class that may not play is refused', async () => {
    const entrant = await anEntrant(portal)
    const { rows } = await sql<{ class_id: number }>`
      SELECT class_id FROM game.characters WHERE id = ${entrant.character}::bigint`.execute(portal.db)
    const others = [0, 1, 2, 3, 4, 5, 6].filter((one) => one !== rows[0]?.class_id)
    const id = await aTournament({ allowed_classes: others })
    expect((await signUp(portal, id, entrant)).body.errors).toHaveProperty('character_id')
  })

  test('is refused to who is not activated, who is banned, and for a character of somebody else', async () => {
    const id = await aTournament()
    const stranger = await aPlayer(portal)
    const [character] = await charactersOf(portal, stranger)
    expect((await signUp(portal, id, { player: stranger, character: character! })).body.code).toBe(
      'NOT_ACTIVATED',
    )
    const banned = await anEntrant(portal)
    await ban(portal, banned.player)
    expect((await signUp(portal, id, banned)).body.code).toBe('BANNED')
    const [one, two] = (await entrants(2)) as [Entrant, Entrant]
    expect((await signUp(portal, id, { ...one, character: two.character })).body.code).toBe(
      'CHARACTER_NOT_FOUND',
    )
  })

  test('takes a player once, and a name once', async () => {
    const id = await aTournament()
    const [one, two] = (await entrants(2)) as [Entrant, Entrant]
    await signUp(portal, id, one, { name: 'Rồng Đất' })
    expect((await signUp(portal, id, one)).body.code).toBe('CONFLICT')
    expect((await signUp(portal, id, two, { name: 'rồng đất' })).body.errors).toHaveProperty('name')
  })

  test('names who cannot be invited', async () => {
    const id = await aTournament({ type: 2 })
    const captain = await anEntrant(portal)
    const invite = async (...invites: string[]) =>
      (await signUp(portal, id, captain, { invites })).body.errors
    expect((await invite('khongcoai1')).invites[0]).toContain('khongcoai1')
    expect((await invite(captain.player.username)).invites[0]).toContain('Đội trưởng')
    expect((await invite('nguoi01', 'nguoi02', 'nguoi03', 'nguoi04')).invites[0]).toContain('tối đa 3')
  })

  test('is open between opening and closing only', async () => {
    const early = await aTournament({ registration_start_at: inDays(1) })
    const entrant = await anEntrant(portal)
    expect((await signUp(portal, early, entrant)).body.code).toBe('CONFLICT')
    await referee.act(early, '/open')
    expect((await signUp(portal, early, entrant)).status).toBe(201)
    await referee.act(early, '/close')
    expect((await signUp(portal, early, await anEntrant(portal))).body.code).toBe('CONFLICT')
  })

  test('under one key registers once', async () => {
    const id = await aTournament()
    const { player, character } = await anEntrant(portal)
    const body = { name: 'Một Lần', character_id: character, invites: [] }
    const register = () =>
      portal.call('POST', `/api/tournaments/${id}/teams`, { token: player.token, body, key: 'khoa-dang-ky' })
    const [first, again] = [await register(), await register()]
    expect([first.status, again.body]).toEqual([201, first.body])
    expect(await teamsOf(id)).toHaveLength(1)
  })
})

describe('places', () => {
  test('that are taken leave others waiting, who move up in the order of arrival', async () => {
    const id = await aTournament({ max_round: 1 })
    const [a, b, c, d] = (await entrants(4)) as [Entrant, Entrant, Entrant, Entrant]
    const first = (await signUp(portal, id, a)).body
    await signUp(portal, id, b)
    expect((await signUp(portal, id, c)).body).toMatchObject({ state: 'waiting', position: 1 })
    expect((await signUp(portal, id, d)).body).toMatchObject({ state: 'waiting', position: 2 })
    expect((await leave(id, first.id, a)).status).toBe(200)
    expect(await ownTeam(portal, id, c)).toMatchObject({ state: 'admitted' })
    expect(await ownTeam(portal, id, d)).toMatchObject({ state: 'waiting', position: 1 })
    expect(await ownTeam(portal, id, a)).toMatchObject({ state: 'withdrawn', withdrawn_for: 'left' })
    // Free for another team.
    expect((await signUp(portal, id, a)).body).toMatchObject({ state: 'waiting', position: 2 })
  })

  test('for sixteen among many at once go to the first, and nobody gets one twice', async () => {
    const id = await aTournament({ max_round: 4 })
    const all = await entrants(40)
    const answers = await Promise.all(all.map((entrant) => signUp(portal, id, entrant)))
    expect(answers.every(({ status }) => status === 201)).toBe(true)
    const teams = await teamsOf(id)
    expect(teams.map(({ state }) => state)).toEqual([
      ...Array.from({ length: 16 }, () => 'admitted'),
      ...Array.from({ length: 24 }, () => 'waiting'),
    ])
    expect(teams.slice(16).map(({ position }) => position)).toEqual(
      Array.from({ length: 24 }, (_, index) => index + 1),
    )
  })

  test('that were held for a day go to others', async () => {
    const { id, team, captain } = await aGroup({ max_round: 1 })
    await portal.db
      .updateTable('teams')
      .set({ held_until: new Date(Date.now() - 1) })
      .where('id', '=', team)
      .execute()
    await expireHeld(portal.deps)
    expect(await ownTeam(portal, id, captain)).toMatchObject({
      state: 'withdrawn',
      withdrawn_for: 'expired',
      members: [],
    })
  })

  test('that a clock a day ahead held are held for a day from now at the longest', async () => {
    const { id, team, captain } = await aGroup({ max_round: 1, competition_start_at: inDays(5) })
    const heldFor = async () =>
      (Date.parse((await ownTeam(portal, id, captain)).held_until ?? '') - Date.now()) / 3_600_000
    expect(await heldFor()).toBeCloseTo(24, 1)
    await portal.db
      .updateTable('teams')
      .set({ held_until: new Date(Date.now() + 2 * 87_000_000) })
      .where('id', '=', team)
      .execute()
    await expireHeld(portal.deps)
    expect(await heldFor()).toBeCloseTo(24, 1)
    expect(await expireHeld(portal.deps)).toBe(false)
  })

  test('grow with the bracket', async () => {
    const id = await aTournament({ max_round: 1 })
    const all = await entrants(3)
    for (const entrant of all) await signUp(portal, id, entrant)
    await referee.send('PUT', referee.at(id), {
      ...(await fieldsOf(id)),
      max_round: 2,
      updated_at: await referee.updatedAt(id),
    })
    expect((await teamsOf(id)).map(({ state }) => state)).toEqual(['admitted', 'admitted', 'admitted'])
  })

  const fieldsOf = async (id: string) => {
    const read = await referee.read(id)
    const fields = [
      'name',
      'registration_start_at',
      'competition_start_at',
      'mode',
      'fee',
      'type',
      'min_level',
    ]
    return Object.fromEntries([...fields, 'max_level', 'allowed_classes'].map((name) => [name, read[name]]))
  }
})

describe('check-in', () => {
  test('keeps who came, puts out who did not, and moves up waiting teams that came', async () => {
    const id = await aTournament({ max_round: 1, check_in_minutes: 30, competition_start_at: inDays(0.01) })
    const [a, b, c, d] = (await entrants(4)) as [Entrant, Entrant, Entrant, Entrant]
    const teams = []
    for (const entrant of [a, b, c, d]) teams.push((await signUp(portal, id, entrant)).body.id as string)
    for (const [index, entrant] of [a, b, c, d].entries()) {
      if (entrant === b || entrant === c) continue
      const answer = await actOnTeam(portal, { id, team: teams[index]!, path: 'check-in' }, entrant)
      expect(answer.body.checked_in_at).toEqual(expect.any(String))
    }
    await portal.db
      .updateTable('tournaments')
      .set({ competition_start_at: new Date(Date.now() - 1) })
      .where('id', '=', id)
      .execute()
    await closeDue(portal.deps)
    expect(await ownTeam(portal, id, b)).toMatchObject({ state: 'withdrawn', withdrawn_for: 'absent' })
    expect(await ownTeam(portal, id, c)).toMatchObject({ state: 'withdrawn', withdrawn_for: 'absent' })
    expect(await ownTeam(portal, id, d)).toMatchObject({ state: 'admitted' })
  })

  test('is asked from who moves up when the referee makes a place after the close', async () => {
    const id = await aTournament({ max_round: 1, check_in_minutes: 30, competition_start_at: inDays(0.01) })
    const [a, b, c, d] = (await entrants(4)) as [Entrant, Entrant, Entrant, Entrant]
    const teams: string[] = []
    for (const entrant of [a, b, c, d]) teams.push((await signUp(portal, id, entrant)).body.id)
    for (const [index, entrant] of [a, b, c, d].entries())
      if (entrant !== c) await actOnTeam(portal, { id, team: teams[index]!, path: 'check-in' }, entrant)
    await referee.act(id, '/close')
    await referee.act(id, `/teams/${teams[0]}/withdraw`)
    expect((await teamsOf(id)).map(({ state }) => state)).toEqual(['admitted', 'admitted'])
    await referee.act(id, `/teams/${teams[1]}/withdraw`)
    expect((await teamsOf(id)).map(({ state }) => state)).toEqual(['admitted'])
  })

  test('counts for a draw that is made before registration has closed by itself', async () => {
    const id = await aTournament({ max_round: 2, check_in_minutes: 30, competition_start_at: inDays(0.01) })
    const [a, b, c] = (await entrants(3)) as [Entrant, Entrant, Entrant]
    for (const entrant of [a, b, c]) {
      const { body } = await signUp(portal, id, entrant)
      if (entrant !== b) await actOnTeam(portal, { id, team: body.id, path: 'check-in' }, entrant)
    }
    await portal.db
      .updateTable('tournaments')
      .set({ competition_start_at: new Date(Date.now() - 1) })
      .where('id', '=', id)
      .execute()
    expect((await referee.draw(id)).body).toMatchObject({ phase: 'running', team_count: 2 })
    expect(await ownTeam(portal, id, b)).toMatchObject({ state: 'withdrawn', withdrawn_for: 'absent' })
  })

  test('opens before the competition only', async () => {
    const id = await aTournament({ check_in_minutes: 30 })
    const entrant = await anEntrant(portal)
    const { body } = await signUp(portal, id, entrant)
    const answer = await actOnTeam(portal, { id, team: body.id, path: 'check-in' }, entrant)
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('Điểm danh mở lúc')])
  })
})

describe('a team', () => {
  test('is changed by its captain: who is left out is out, and who is new is asked', async () => {
    const { id, team, captain, others, accept } = await aGroup()
    const [first, second, third] = others as [Entrant, Entrant, Entrant]
    await accept(first)
    const fifth = await anEntrant(portal)
    const put = (entrant: Entrant, invites: Entrant[]) =>
      portal.call('PUT', `/api/tournaments/${id}/teams/${team}`, {
        token: entrant.player.token,
        body: { name: 'Tên Mới', invites: invites.map(({ player }) => player.username) },
      })
    expect((await put(first, [fifth])).body.code).toBe('CONFLICT')
    const { body } = await put(captain, [second, third, fifth])
    expect(body.name).toBe('Tên Mới')
    expect(body.members.map(({ state }: { state: string }) => state)).toEqual([
      'accepted',
      'invited',
      'invited',
      'invited',
    ])
    expect((await accept(first)).body.code).toBe('CONFLICT')
    expect(await ownTeam(portal, id, first)).toBeNull()
  })

  test('that a member leaves holds its place again, with a substitute in it where there is one', async () => {
    const { id, team, captain, others, accept } = await aGroup()
    for (const entrant of others) await accept(entrant)
    await leave(id, team, others[0]!)
    expect(await ownTeam(portal, id, captain)).toMatchObject({ state: 'held' })
  })

  test('is declined by who does not want to play', async () => {
    const { id, team, captain, others } = await aGroup()
    const answer = await actOnTeam(portal, { id, team, path: 'decline' }, others[0]!)
    expect(answer.body.message).toContain('từ chối')
    expect((await ownTeam(portal, id, captain)).members[1]).toMatchObject({ state: 'declined' })
  })

  test('stays as it was drawn', async () => {
    const id = await aTournament()
    const entrant = await anEntrant(portal)
    const { body } = await signUp(portal, id, entrant)
    await referee.addTeams(id, someTeams(1))
    await referee.draw(id)
    expect((await leave(id, body.id, entrant)).body.code).toBe('CONFLICT')
  })

  test('of others is not acted on', async () => {
    const id = await aTournament()
    const [one, two] = (await entrants(2)) as [Entrant, Entrant]
    const { body } = await signUp(portal, id, one)
    expect((await leave(id, body.id, two)).status).toBe(404)
    expect((await actOnTeam(portal, { id, team: body.id, path: 'pay' }, two)).status).toBe(404)
  })
})
