import { setTimeout } from 'node:timers/promises'
import { trailRows } from '#tests/support/trail-rows.ts'
import { describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { useReferee } from '#tests/support/fixtures.ts'
import { verifyDraw } from '#contract/draw-proof.ts'
import { inDays, someTeams, tournamentFields, type TestMatch } from './testing/referee.ts'

const portal = useTestApp()
const referee = useReferee(portal)

const shown = async (id: string) => (await portal.call('GET', `/api/tournaments/brackets/${id}`)).body

const draw = async (id: string) => (await portal.call('GET', `/api/tournaments/${id}/draw`)).body

const trail = (id: string) => trailRows(portal, { subject: { type: 'tournament', id } })

describe('a tournament', () => {
  test('of sixteen teams runs from its creation to its champion, and players see each step', async () => {
    const id = await referee.aTournament({ max_round: 4 })
    expect((await shown(id)).tournament).toMatchObject({ name: 'Song Đấu', current_round: 0, team_count: 0 })
    await referee.addTeams(id, someTeams(16))
    expect((await referee.draw(id)).body).toMatchObject({
      phase: 'running',
      current_round: 1,
      team_count: 16,
    })
    const rounds: number[] = []
    for (let round = 1; round <= 5; round++) {
      expect((await referee.read(id)).current_round).toBe(round)
      rounds.push((await referee.playable(id)).length)
      expect((await referee.saveAll(id)).status).toBe(200)
      const next = await referee.act(id, '/next-round')
      // After the final there is none.
      expect(next.status).toBe(round < 5 ? 200 : 409)
    }
    // Round of sixteen, quarter-finals, semi-finals, third place, final.
    expect(rounds).toEqual([8, 4, 2, 1, 1])
    const final = (await referee.read(id)).matches.at(-1)
    const finished = await referee.act(id, '/finish')
    expect(finished.body).toMatchObject({ phase: 'finished', winner: final.team_one.team_name })
    expect((await shown(id)).tournament.winner).toBe(final.team_one.team_name)
    expect((await trail(id)).map(({ action }) => action)).toEqual([
      'tournaments.create',
      'tournaments.teams-add',
      'tournaments.freeze',
      'tournaments.close',
      'tournaments.draw',
      ...Array.from({ length: 4 }, () => ['tournaments.results', 'tournaments.next-round']).flat(),
      'tournaments.results',
      'tournaments.finish',
    ])
    const [third] = (await shown(id)).matches.filter((match: TestMatch) => match.round === 4)
    const semi = (await shown(id)).matches.filter((match: TestMatch) => match.round === 3)
    expect([third.team1_id, third.team2_id]).toEqual(semi.map((match: TestMatch) => match.team2_id))
  })

  test.each([
    [2, 0, 1],
    [3, 0, 0],
    [5, 0, 0],
    [7, 4, 3],
    [3, 4, 2],
  ])('of %i teams with max_round %i has its champion too, with byes', async (count, max_round, drawn) => {
    const id = await referee.aDraw(count, { max_round })
    const { body } = await referee.playOn(id)
    expect(body).toMatchObject({
      phase: 'finished',
      max_round: drawn,
      winner: expect.stringMatching(/^Đội /),
    })
    const { matches } = await shown(id)
    const lost = matches.flatMap(({ team1_id, team2_id, winning_team_id }: TestMatch) =>
      team1_id === null || team2_id === null || winning_team_id === null
        ? []
        : [winning_team_id === team1_id ? team2_id : team1_id],
    )
    const third = count > 3 ? 1 : 0
    expect(lost).toHaveLength(count - 1 + third)
  })

  test('was drawn from its closed list and a public random number: anybody repeats it from what is public', async () => {
    const id = await referee.aTournament()
    expect(await draw(id)).toMatchObject({ commitment: null, beacon: null, teams: [], order: [] })
    await referee.addTeams(id, someTeams(8))
    const seeded = (await referee.read(id)).teams.slice(3, 5).map((team: { id: string }) => team.id)
    await referee.send('PUT', referee.at(id, '/seeds'), {
      teams: seeded,
      updated_at: await referee.updatedAt(id),
    })
    await referee.act(id, '/close')
    const closed = await draw(id)
    expect(closed.beacon).toMatchObject({ signature: null, randomness: null })
    expect([closed.teams.length, closed.order]).toEqual([8, []])
    await referee.draw(id)
    const published = await draw(id)
    expect([published.commitment, published.teams]).toEqual([closed.commitment, closed.teams])
    expect(published.beacon.round).toBe(closed.beacon.round)
    expect(verifyDraw(published)).toEqual([])
    expect(published.order.slice(0, 2)).toEqual(seeded)
    const { matches } = await referee.read(id)
    const first = matches.filter(({ round }: TestMatch) => round === 1)
    const [one, two, three, four] = published.order
    expect(first.map(({ team1_id }: TestMatch) => team1_id)).toEqual([one, four, two, three])
  })

  test('that is drawn live shows one team after the other, and its random number with the last', async () => {
    const id = await referee.aDraw(4, { mode: 0, max_round: 2 })
    expect((await referee.read(id)).phase).toBe('drawing')
    expect((await referee.act(id, '/next-round')).status).toBe(409)
    const sides = async () =>
      (await shown(id)).matches.flatMap(({ team1_id, team2_id }: TestMatch) => [team1_id, team2_id])
    const seen = async () => (await sides()).filter((side: string | null) => side !== null)
    expect(await seen()).toEqual([])
    await referee.act(id, '/draw/next')
    const after = await draw(id)
    expect([after.beacon.signature, after.order.length]).toEqual([null, 1])
    expect(await seen()).toEqual(after.order)
    await referee.act(id, '/draw/next', { count: 3 })
    expect((await referee.read(id)).phase).toBe('running')
    expect(verifyDraw(await draw(id))).toEqual([])
    expect(await seen()).toHaveLength(4)
    expect((await referee.act(id, '/draw/next')).status).toBe(409)
  })

  test('that is drawn before its hour is public at that hour', async () => {
    const id = await referee.aTournament()
    await referee.addTeams(id, someTeams(2))
    await referee.draw(id, { publish_at: inDays(1) })
    expect((await referee.read(id)).phase).toBe('drawing')
    expect((await draw(id)).order).toEqual([])
    expect((await shown(id)).matches[0]).toMatchObject({ team1_id: null, team2_id: null })
    expect((await trail(id)).at(-1)!.details).not.toHaveProperty('after.order')
  })

  test('keeps the secret that its hash promised', async () => {
    const id = await referee.aTournament()
    await expect(
      portal.db
        .updateTable('tournaments')
        .set({ draw_secret: '0'.repeat(64) })
        .where('id', '=', id)
        .execute(),
    ).rejects.toThrow('the secret of a draw never changes')
  })
})

describe('fields', () => {
  test.each([
    [{ registration_start_at: inDays(3) }, 'competition_start_at'],
    [{ min_level: 91 }, 'max_level'],
    [{ name: '  ' }, 'name'],
    [{ max_round: 13 }, 'max_round'],
    [{ type: 5 }, 'type'],
    [{ allowed_classes: [] }, 'allowed_classes'],
    [{ fee: 1.5 }, 'fee'],
    [{ competition_start_at: 'mai' }, 'competition_start_at'],
    [{ server_id: 'khong-co' }, 'server_id'],
    [{ reason: 'x' }, 'reason'],
    [{ prize: 'x'.repeat(301) }, 'prize'],
    [{ how_to_register: 'x'.repeat(1_001) }, 'how_to_register'],
  ])('%j are refused at %s', async (change, field) => {
    const { status, body } = await referee.send('POST', '/api/operator/tournaments', tournamentFields(change))
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
  })

  test('are changed with what was seen, and audited before and after', async () => {
    const id = await referee.aTournament()
    const seen = await referee.updatedAt(id)
    const changed = await referee.send('PUT', referee.at(id), {
      ...tournamentFields({ fee: 200 }),
      updated_at: seen,
    })
    expect(changed.body).toMatchObject({ fee: 200 })
    expect(
      (await referee.send('PUT', referee.at(id), { ...tournamentFields({ fee: 300 }), updated_at: seen }))
        .body,
    ).toMatchObject({ code: 'CONFLICT', present: changed.body })
    expect((await shown(id)).tournament.fee).toBe(200)
    expect((await trail(id)).at(-1)).toMatchObject({
      action: 'tournaments.update',
      reason: 'Giải tháng này',
      details: { before: { fee: 100 }, after: { fee: 200 } },
    })
  })

  test('of which the draw was made stay after it, its dates among them', async () => {
    const id = await referee.aDraw(4)
    for (const [field, value] of Object.entries({ mode: 0, competition_start_at: inDays(5) })) {
      const body = { ...tournamentFields({ max_round: 2 }), updated_at: await referee.updatedAt(id) }
      const read = await referee.read(id)
      const dates = {
        registration_start_at: read.registration_start_at,
        competition_start_at: read.competition_start_at,
      }
      const answer = await referee.send('PUT', referee.at(id), { ...body, ...dates, [field]: value })
      expect(Object.keys(answer.body.errors ?? {})).toEqual([field])
    }
  })

  test('prize and way to register are shown to players, audited, and stay where a console does not send them', async () => {
    const texts = { prize: 'Vô địch 5,000 lượng', how_to_register: 'Gặp sứ giả\nở quảng trường' }
    const id = await referee.aTournament({ ...texts, prize: ` ${texts.prize} ` })
    expect((await shown(id)).tournament).toMatchObject(texts)
    const put = async (change: object) =>
      referee.send('PUT', referee.at(id), {
        ...tournamentFields(change),
        updated_at: await referee.updatedAt(id),
      })
    expect((await put({ fee: 1 })).body).toMatchObject({ ...texts, fee: 1 })
    expect((await put({ prize: '' })).body).toMatchObject({ ...texts, prize: '' })
    expect((await trail(id)).at(-1)).toMatchObject({
      details: { before: texts, after: { ...texts, prize: '' } },
    })
  })

  test('that the draw was made by stay after it; others do not', async () => {
    const id = await referee.aDraw(4)
    const present = await referee.read(id)
    const put = async (change: object) =>
      referee.send('PUT', referee.at(id), {
        ...tournamentFields(),
        ...pick(present),
        ...change,
        updated_at: await referee.updatedAt(id),
      })
    expect((await put({ max_round: 5 })).body).toHaveProperty('errors.max_round')
    expect((await put({ name: 'Tên mới' })).body).toMatchObject({ name: 'Tên mới', phase: 'running' })
  })

  test('cannot make a tournament smaller than its teams', async () => {
    const id = await referee.aTournament({ max_round: 3 })
    await referee.addTeams(id, someTeams(5))
    const body = { ...tournamentFields({ max_round: 2 }), updated_at: await referee.updatedAt(id) }
    expect((await referee.send('PUT', referee.at(id), body)).body.errors).toHaveProperty('max_round')
  })

  const pick = ({ registration_start_at, competition_start_at, max_round }: Record<string, unknown>) => ({
    registration_start_at,
    competition_start_at,
    max_round,
  })
})

describe('teams', () => {
  test('register between the dates only', async () => {
    const early = await referee.aTournament({ registration_start_at: inDays(1) })
    const late = await referee.aTournament({ competition_start_at: inDays(-1) })
    for (const id of [early, late]) {
      expect((await referee.addTeams(id, someTeams(1))).body.code).toBe('CONFLICT')
    }
  })

  test('come with their members; a name or a character comes once', async () => {
    const id = await referee.aTournament({ type: 2 })
    const add = (...given: object[]) => referee.addTeams(id, given)
    expect((await add({ name: 'Bạch Vân', members: ['Mây', 'Gió'] })).status).toBe(200)
    expect((await add({ name: 'bạch vân', members: ['Sét'] })).body.errors).toHaveProperty('teams')
    expect((await add({ name: 'Hắc Điêu', members: ['gió'] })).body.errors).toHaveProperty('teams')
    expect((await add({ name: 'A', members: ['x'] }, { name: 'a', members: ['y'] })).status).toBe(422)
    expect((await add({ name: 'A', members: ['1', '2', '3', '4', '5'] })).status).toBe(422)
    expect((await referee.read(id)).teams).toEqual([
      {
        id: expect.any(String),
        name: 'Bạch Vân',
        members: ['Mây', 'Gió'],
        is_registered: false,
        state: 'admitted',
        seed: null,
        held_until: null,
        has_checked_in: true,
        withdrawn_for: null,
        fees: { pending: 0, taken: 0, refunding: 0, refunded: 0 },
      },
    ])
  })

  test('are no more than the bracket has places, all of a call or none', async () => {
    const id = await referee.aTournament({ max_round: 2 })
    expect((await referee.addTeams(id, someTeams(5))).body.errors).toHaveProperty('teams')
    expect((await referee.read(id)).teams).toEqual([])
    expect((await referee.addTeams(id, someTeams(4))).status).toBe(200)
  })

  test('are changed, and withdrawn until the draw', async () => {
    const id = await referee.aTournament()
    await referee.addTeams(id, someTeams(3))
    const [first, second] = (await referee.read(id)).teams
    const change = async (team: string, body: object) =>
      referee.send('PUT', referee.at(id, `/teams/${team}`), {
        updated_at: await referee.updatedAt(id),
        ...body,
      })
    expect((await change(first.id, { name: 'ĐỘI 1', members: ['Ninja 1'] })).status).toBe(200)
    expect((await change(first.id, { name: 'Đội 2', members: ['Ninja 1'] })).body.errors).toHaveProperty(
      'name',
    )
    expect((await change(first.id, { name: 'Đội 1', members: ['Ninja 2'] })).status).toBe(422)
    expect((await referee.act(id, `/teams/${second.id}/withdraw`)).body.team_count).toBe(2)
    expect((await referee.act(id, `/teams/${second.id}/withdraw`)).status).toBe(404)
    await referee.draw(id)
    expect((await referee.act(id, `/teams/${first.id}/withdraw`)).body.code).toBe('CONFLICT')
  })

  test('of another tournament are not found', async () => {
    const [here, there] = [await referee.aTournament(), await referee.aTournament()]
    await referee.addTeams(there, someTeams(1))
    const [team] = (await referee.read(there)).teams
    expect((await referee.act(here, `/teams/${team.id}/withdraw`)).status).toBe(404)
  })
})

describe('acts that make no sense now are refused', () => {
  const code = async (answer: Promise<{ body: { code: string } }>) => (await answer).body.code

  test('before registration, without teams, before the draw', async () => {
    const early = await referee.aTournament({ registration_start_at: inDays(1) })
    expect(await code(referee.draw(early))).toBe('CONFLICT')
    const id = await referee.aTournament()
    expect(await code(referee.draw(id))).toBe('CONFLICT')
    expect(await code(referee.act(id, '/next-round'))).toBe('CONFLICT')
    expect(await code(referee.act(id, '/finish'))).toBe('CONFLICT')
  })

  test('a second draw, the next round before its results, the end before the final', async () => {
    const id = await referee.aDraw(4)
    expect(await code(referee.draw(id))).toBe('CONFLICT')
    expect(await code(referee.act(id, '/next-round'))).toBe('CONFLICT')
    expect(await code(referee.act(id, '/finish'))).toBe('CONFLICT')
  })

  test('anything in one that is over or cancelled', async () => {
    const finished = await referee.aDraw(2, { max_round: 1 })
    await referee.playOn(finished)
    const cancelled = await referee.aTournament()
    expect((await referee.act(cancelled, '/cancel')).body.phase).toBe('cancelled')
    expect((await shown(cancelled)).tournament.cancelled_at).toEqual(expect.any(String))
    for (const id of [finished, cancelled]) {
      for (const path of ['/cancel', '/draw', '/next-round', '/finish'])
        expect(await code(referee.act(id, path)), path).toBe('CONFLICT')
      expect(await code(referee.addTeams(id, someTeams(1)))).toBe('CONFLICT')
      expect(
        await code(
          referee.send('PUT', referee.at(id), {
            ...tournamentFields(),
            updated_at: await referee.updatedAt(id),
          }),
        ),
      ).toBe('CONFLICT')
    }
  })

  test('an act meant for another state, and one of two at the same time', async () => {
    const id = await referee.aTournament()
    const seen = await referee.updatedAt(id)
    await referee.addTeams(id, someTeams(4))
    await referee.act(id, '/close')
    expect(await code(referee.draw(id, { updated_at: seen }))).toBe('CONFLICT')
    const now = await referee.updatedAt(id)
    const answers = await Promise.all([1, 2].map(() => referee.draw(id, { updated_at: now })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await referee.read(id)).matches).toHaveLength(4)
  })

  test('and one key draws once', async () => {
    const id = await referee.aTournament()
    await referee.addTeams(id, someTeams(4))
    await referee.act(id, '/close')
    await setTimeout(Math.max(0, Date.parse((await referee.read(id)).draw_from) - Date.now() + 1))
    const updated_at = await referee.updatedAt(id)
    const drawn = () => referee.send('POST', referee.at(id, '/draw'), { updated_at }, 'khoa-boc-tham')
    const [first, again] = [await drawn(), await drawn()]
    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.body).toEqual(first.body)
  })
})
