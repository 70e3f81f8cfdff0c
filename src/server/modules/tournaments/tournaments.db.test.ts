import { lastTrailRow } from '#tests/support/trail-rows.ts'
import { describe, expect, test } from 'vitest'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { useTestApp } from '#tests/support/app.ts'
import { useReferee } from '#tests/support/fixtures.ts'
import { type PlantedTournament, plantTournaments } from './testing/planted.ts'
import { aResult, type TestMatch } from './testing/referee.ts'

const portal = useTestApp()

const TOURNAMENT = {
  name: 'Giải thử',
  mode: 1,
  fee: 250,
  type: 3,
  min_level: 20,
  max_level: 90,
  max_round: 2,
  current_round: 0,
  allowed_classes: [1, 4, 6],
}

const aTournament = (change: Partial<PlantedTournament> = {}): PlantedTournament => ({
  ...TOURNAMENT,
  registration_start_at: new Date('2026-03-01T01:00:00Z'),
  competition_start_at: new Date('2026-03-10T12:30:00Z'),
  teams: [],
  results: null,
  ...change,
})

/** Imports one and answers its id. */
async function planted(change: Partial<PlantedTournament> = {}): Promise<string> {
  await inTransaction(portal.db, (tx) => plantTournaments(tx, [aTournament(change)]))
  const { id } = await portal.db
    .selectFrom('tournaments')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return id
}

const bracket = async (id: string) => (await portal.call('GET', `/api/tournaments/brackets/${id}`)).body

const FOUR = ['Bạch Vân', 'Hắc Điêu', 'Trúc Lâm', 'Hồng Nguyệt']

describe('GET /tournaments/brackets/{id}', () => {
  test('shows a visitor a tournament with everything the spec names, and no list before the draw', async () => {
    const id = await planted({ teams: FOUR.slice(0, 3) })
    const { status, body } = await portal.call('GET', `/api/tournaments/brackets/${id}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      tournament: {
        ...TOURNAMENT,
        id,
        class_names: ['Kiếm', 'Cung', 'Lưỡi hái'],
        registration_start_at: '2026-03-01T01:00:00.000Z',
        competition_start_at: '2026-03-10T12:30:00.000Z',
        prize: '',
        how_to_register: '',
        team_count: 3,
        server_id: null,
        substitutes: 0,
        fee_payer: 'captain',
        check_in_minutes: 0,
        opened_at: null,
        closed_at: null,
        draw_commitment: null,
        draw_round: null,
        draw_from: null,
        drawn_at: null,
        draw_public_at: null,
        paused_at: null,
        finished_at: null,
        winner: null,
        cancelled_at: null,
      },
      matches: [],
      event: 0,
    })
  })

  test('lists the matches by round and place, with wins, winners and sides not known yet', async () => {
    const id = await planted({
      current_round: 2,
      teams: FOUR,
      results: [
        [
          [3, 1],
          [0, 0, 2],
        ],
      ],
    })
    const { matches, tournament } = await bracket(id)
    expect(tournament).toMatchObject({ current_round: 2, team_count: 4, winner: null })
    const teams = await portal.db
      .selectFrom('teams')
      .select(['id', 'name'])
      .where('tournament_id', '=', id)
      .execute()
    const idOf = (name: string) => teams.find((team) => team.name === name)!.id
    expect(matches).toEqual([
      {
        id: expect.any(String),
        round: 1,
        position: 1,
        team1_id: idOf('Bạch Vân'),
        team2_id: idOf('Hắc Điêu'),
        team_one: { team_name: 'Bạch Vân' },
        team_two: { team_name: 'Hắc Điêu' },
        team1_win_count: 3,
        team2_win_count: 1,
        winning_team_id: idOf('Bạch Vân'),
        absent_side: null,
        is_void: false,
        called_at: null,
        team1_present: false,
        team2_present: false,
      },
      expect.objectContaining({
        round: 1,
        position: 2,
        team1_win_count: 0,
        team2_win_count: 0,
        winning_team_id: idOf('Hồng Nguyệt'),
      }),
      expect.objectContaining({
        round: 2,
        position: 1,
        team_one: { team_name: 'Hắc Điêu' },
        team_two: { team_name: 'Trúc Lâm' },
        winning_team_id: null,
      }),
      expect.objectContaining({
        round: 3,
        position: 1,
        team_one: { team_name: 'Bạch Vân' },
        team_two: { team_name: 'Hồng Nguyệt' },
        winning_team_id: null,
      }),
    ])
  })

  test('names the champion of one that is over', async () => {
    const id = await planted({
      current_round: 3,
      teams: FOUR,
      results: [
        [
          [3, 1],
          [3, 0],
        ],
        [[1, 3]],
        [[4, 5]],
      ],
    })
    expect((await bracket(id)).tournament.winner).toBe('Trúc Lâm')
  })

  test('leaves sides open that nothing has decided', async () => {
    const id = await planted({ current_round: 1, teams: FOUR, results: [] })
    const { matches } = await bracket(id)
    expect(matches.at(-1)).toMatchObject({ team1_id: null, team2_id: null, team_one: null, team_two: null })
  })

  test.each(['0', '999999999', 'x', '-1', '1.5', '9'.repeat(40), "1'"])('%s is not found', async (id) => {
    const answer = await portal.call('GET', `/api/tournaments/brackets/${encodeURIComponent(id)}`)
    expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  })
})

describe('GET /tournaments', () => {
  test('lists the newest competition first, at most 50', async () => {
    await inTransaction(portal.db, (tx) =>
      plantTournaments(
        tx,
        Array.from({ length: 55 }, (_, n) =>
          aTournament({
            name: `Giải ${n}`,
            // Written down in another order than they take place.
            competition_start_at: new Date(Date.UTC(2027, 0, 1 + ((n * 7) % 55))),
          }),
        ),
      ),
    )
    const { status, body } = await portal.call('GET', '/api/tournaments')
    expect(status).toBe(200)
    expect(body).toHaveLength(50)
    const dates = body.map((row: { competition_start_at: string }) => row.competition_start_at)
    expect(dates).toEqual(dates.toSorted().toReversed())
    expect(body[0]).toMatchObject({ team_count: 0, winner: null, allowed_classes: [1, 4, 6] })
  })
})

describe('the database refuses', () => {
  const match = (values: Record<string, unknown>) =>
    portal.db
      .insertInto('matches')
      .values({ round: 1, position: 9, ...values } as never)
      .execute()

  async function aDraw() {
    const id = await planted({ current_round: 1, teams: FOUR, results: [] })
    const ofTournament = portal.db.selectFrom('teams').select('id').where('tournament_id', '=', id)
    const teams = await ofTournament.orderBy('id').execute()
    return { tournament_id: id, team1_id: teams[0]!.id, team2_id: teams[1]!.id, third: teams[2]!.id }
  }

  test('a winner who did not play, or who won fewer games', async () => {
    const { third, ...sides } = await aDraw()
    await expect(match({ ...sides, winning_team_id: third })).rejects.toThrow('matches_winner')
    await expect(
      match({ ...sides, team1_win_count: 1, team2_win_count: 3, winning_team_id: sides.team1_id }),
    ).rejects.toThrow('matches_winner')
    await expect(match({ ...sides, team2_id: null, winning_team_id: third })).rejects.toThrow(
      'matches_winner',
    )
    await expect(match({ ...sides, team2_id: null, winning_team_id: sides.team1_id })).resolves.toBeDefined()
  })

  test('a team of another tournament, a team against itself, a place given twice', async () => {
    const [here, there] = [await aDraw(), await aDraw()]
    const { third: _, ...sides } = here
    await expect(match({ ...sides, team2_id: there.team1_id })).rejects.toThrow('matches_team2')
    await expect(match({ ...sides, team2_id: sides.team1_id })).rejects.toThrow('matches_two_teams')
    await expect(match({ ...sides, position: 1 })).rejects.toThrow('matches_place')
    await expect(
      portal.db
        .updateTable('tournaments')
        .set({ winning_team_id: there.third })
        .where('id', '=', here.tournament_id)
        .execute(),
    ).rejects.toThrow('tournaments_winner')
  })

  test.each([
    [{ min_level: 50, max_level: 40 }, 'tournaments_levels'],
    [{ allowed_classes: [] }, 'tournaments_classes'],
    [{ allowed_classes: [1, 7] }, 'tournaments_classes'],
    [{ type: 5 }, 'tournaments_type'],
    [{ mode: 2 }, 'tournaments_mode'],
    [{ fee: -1 }, 'tournaments_fee'],
    [{ current_round: 4 }, 'tournaments_rounds'],
    [{ competition_start_at: new Date('2026-03-01T01:00:00Z') }, 'tournaments_dates'],
    [{ teams: ['Một', 'MỘT'.toLowerCase(), 'một'] }, 'teams_name'],
  ])('a tournament with %j', async (change, constraint) => {
    await expect(planted(change)).rejects.toThrow(constraint)
  })
})

describe('results', () => {
  const referee = useReferee(portal)

  /** Four teams whose semi-finals (three games win) are being played. */
  async function semiFinals(): Promise<{ id: string; first: TestMatch; second: TestMatch }> {
    const id = await referee.aDraw(4)
    const [first, second] = (await referee.playable(id)) as [TestMatch, TestMatch]
    return { id, first, second }
  }

  const matchesOf = async (id: string): Promise<TestMatch[]> => (await referee.read(id)).matches

  describe('a result', () => {
    test('puts the winner into the final and the loser into the match for the third place at once', async () => {
      const { id, first } = await semiFinals()
      await referee.save(id, [aResult(first, { team1_win_count: 1, team2_win_count: 3 })])
      const [, , third, final] = await matchesOf(id)
      expect(third).toMatchObject({ round: 2, team1_id: first.team1_id, team2_id: null })
      expect(final).toMatchObject({ round: 3, team1_id: first.team2_id, team2_id: null })
    })

    test('is corrected while its round is played, and both teams change places', async () => {
      const { id, first } = await semiFinals()
      await referee.save(id, [aResult(first)])
      const [again] = await matchesOf(id)
      await referee.save(id, [aResult(again as TestMatch, { team1_win_count: 0, team2_win_count: 3 })])
      const [, , third, final] = await matchesOf(id)
      expect([third?.team1_id, final?.team1_id]).toEqual([first.team1_id, first.team2_id])
    })

    test('that is a tie has no winner, unless one side was absent', async () => {
      const { id, first, second } = await semiFinals()
      const tie = { team1_win_count: 2, team2_win_count: 2 }
      expect((await referee.save(id, [aResult(first, tie), aResult(second, tie)])).status).toBe(200)
      expect((await matchesOf(id)).map(({ winning_team_id }) => winning_team_id)).toEqual([
        null,
        null,
        null,
        null,
      ])
      expect((await referee.act(id, '/next-round')).body).toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining('trận 1, 2'),
      })
      const [one, two] = (await matchesOf(id)) as [TestMatch, TestMatch]
      const absent = { team1_win_count: 0, team2_win_count: 0 }
      await referee.save(id, [
        aResult(one, { ...absent, absent_side: 1 }),
        aResult(two, { ...absent, absent_side: 2 }),
      ])
      const final = (await matchesOf(id)).at(-1)
      expect([final?.team1_id, final?.team2_id]).toEqual([first.team2_id, second.team1_id])
      expect((await referee.act(id, '/next-round')).body.current_round).toBe(2)
    })

    test.each([
      [{ team1_win_count: 4, team2_win_count: 0 }, 'tối đa 3 ván'],
      [{ team1_win_count: 2, team2_win_count: 1, absent_side: 1 }, 'vắng mặt'],
    ])('%j is refused, and with it all others of the call', async (wrong, text) => {
      const { id, first, second } = await semiFinals()
      const { status, body } = await referee.save(id, [aResult(first), aResult(second, wrong)])
      expect([status, body.errors.results[0]]).toEqual([422, expect.stringContaining(text)])
      expect((await matchesOf(id))[0]?.winning_team_id).toBeNull()
    })

    test('may reach five games in the final only', async () => {
      const { id } = await semiFinals()
      await referee.saveAll(id)
      await referee.act(id, '/next-round')
      expect((await referee.saveAll(id, { team1_win_count: 5 })).status).toBe(422)
      await referee.saveAll(id)
      await referee.act(id, '/next-round')
      expect((await referee.saveAll(id, { team1_win_count: 5, team2_win_count: 4 })).status).toBe(200)
    })

    test('of another round, another tournament or a match without opponent is refused', async () => {
      const { id, first } = await semiFinals()
      const other = await semiFinals()
      expect((await referee.save(id, [aResult(other.first)])).body.code).toBe('CONFLICT')
      await referee.saveAll(id)
      await referee.act(id, '/next-round')
      expect((await referee.save(id, [aResult(first)])).body.code).toBe('CONFLICT')
      const three = await referee.aDraw(3)
      const bye = (await matchesOf(three)).find(({ round, team2_id }) => round === 1 && team2_id === null)
      expect(bye?.winning_team_id).toBe(bye?.team1_id)
      expect((await referee.save(three, [aResult(bye as TestMatch)])).body.code).toBe('CONFLICT')
    })

    test('of two referees at once: the second sees that the first has written it', async () => {
      const { id, first, second } = await semiFinals()
      expect((await referee.save(id, [aResult(first)])).status).toBe(200)
      expect((await referee.save(id, [aResult(second)])).status).toBe(200)
      const stale = await referee.save(id, [aResult(first, { team1_win_count: 0, team2_win_count: 3 })])
      expect(stale.body).toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining('trận 1'),
        present: { id: first.id, position: 1 },
      })
      expect((await matchesOf(id))[0]?.winning_team_id).toBe(first.team1_id)
    })

    test('is audited with what was there before', async () => {
      const { id, first } = await semiFinals()
      await referee.save(id, [aResult(first)])
      const row = await lastTrailRow(portal, { action: 'tournaments.results', id })
      expect(row?.details).toMatchObject({
        before: { round: 1, results: [{ match_id: first.id, team1_win_count: 0, winning_team_id: null }] },
        after: { results: [{ match_id: first.id, team1_win_count: 3, winning_team_id: first.team1_id }] },
      })
    })
  })

  describe('the list', () => {
    test('is filtered by phase and name, and sorted by day', async () => {
      const id = await referee.aTournament({ name: 'Đại hội 100%' })
      const list = async (filter: object) =>
        (
          await portal.call(
            'GET',
            `/api/operator/tournaments?filter=${encodeURIComponent(JSON.stringify(filter))}`,
            { token: referee.token },
          )
        ).body as { id: string; phase: string; competition_start_at: string }[]
      expect((await list({ q: 'HỘI 100%' })).map((row) => row.id)).toEqual([id])
      const running = await list({ phase: 'running' })
      expect(running.length).toBeGreaterThan(1)
      expect(new Set(running.map(({ phase }) => phase))).toEqual(new Set(['running']))
      const dates = (await list({})).map((row) => row.competition_start_at)
      expect(dates).toEqual(dates.toSorted().toReversed())
    })
  })
})

test('the dates of a tournament are a calendar file', async () => {
  const id = await planted({ name: 'Cúp; Hè' })
  const { statusCode, headers, body } = await portal.app.inject(`/tournament/${id}/calendar.ics`)
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
  expect(body).toContain('SUMMARY:Thi đấu: Cúp\\; Hè\r\n')
  expect((await portal.app.inject('/tournament/999999/calendar.ics')).statusCode).toBe(404)
})
