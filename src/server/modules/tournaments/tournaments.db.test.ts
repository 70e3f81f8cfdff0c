import { describe, expect, test } from 'vitest'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { useTestApp } from '#tests/support/app.ts'
import { importTournaments, type ImportedTournament } from './index.ts'

const portal = useTestApp()

const aTournament = (change: Partial<ImportedTournament> = {}): ImportedTournament => ({
  name: 'Giải thử',
  registration_start_at: new Date('2026-03-01T01:00:00Z'),
  competition_start_at: new Date('2026-03-10T12:30:00Z'),
  mode: 1,
  fee: 250,
  type: 3,
  min_level: 20,
  max_level: 90,
  max_round: 2,
  current_round: 0,
  allowed_classes: [1, 4, 6],
  teams: [],
  results: null,
  ...change,
})

/** Imports one and answers its id. */
async function planted(change: Partial<ImportedTournament> = {}): Promise<string> {
  await inTransaction(portal.db, (tx) => importTournaments(tx, [aTournament(change)]))
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
        id,
        name: 'Giải thử',
        registration_start_at: '2026-03-01T01:00:00.000Z',
        competition_start_at: '2026-03-10T12:30:00.000Z',
        mode: 1,
        fee: 250,
        type: 3,
        min_level: 20,
        max_level: 90,
        max_round: 2,
        current_round: 0,
        allowed_classes: [1, 4, 6],
        prize: '',
        how_to_register: '',
        team_count: 3,
        winner: null,
        cancelled_at: null,
      },
      matches: [],
    })
  })

  test('lists the matches by round and place, with wins, winners and sides not known yet', async () => {
    const id = await planted({
      current_round: 2,
      teams: FOUR,
      results: [
        [
          { wins: [3, 1], winner: 1 },
          { wins: [0, 0], winner: 2 },
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
          { wins: [3, 1], winner: 1 },
          { wins: [3, 0], winner: 1 },
        ],
        [{ wins: [1, 3], winner: 2 }],
        [{ wins: [4, 5], winner: 2 }],
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
      importTournaments(
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
    const teams = await portal.db
      .selectFrom('teams')
      .select('id')
      .where('tournament_id', '=', id)
      .orderBy('id')
      .execute()
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
