import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { aResult, openReferee, type Referee, type TestMatch } from './testing/referee.ts'

const portal = useTestApp()
let referee: Referee
beforeAll(async () => {
  referee = await openReferee(portal)
})
// Each test makes more acts than a person does in a minute.
beforeEach(() => portal.db.deleteFrom('rate_limit').execute())

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
    await referee.save(id, [aResult(again as TestMatch, { team1_win_count: 0, team2_win_count: 2 })])
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
    const stale = await referee.save(id, [aResult(first, { team1_win_count: 0, team2_win_count: 1 })])
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
    const row = await portal.db
      .selectFrom('audit_log')
      .select('details')
      .where('action', '=', 'tournaments.results')
      .where('subject_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.details).toMatchObject({
      before: { round: 1, results: [{ match_id: first.id, team1_win_count: 0, winning_team_id: null }] },
      after: { results: [{ match_id: first.id, team1_win_count: 1, winning_team_id: first.team1_id }] },
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
