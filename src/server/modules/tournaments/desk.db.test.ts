import { describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { useReferee } from '#tests/support/fixtures.ts'
import { lastTrailRow } from '#tests/support/trail-rows.ts'
import { aResult, type TestMatch } from './testing/referee.ts'

const portal = useTestApp()
const referee = useReferee(portal)

const matchesOf = async (id: string): Promise<TestMatch[]> => (await referee.read(id)).matches
const matchAt = async (id: string, round: number, position: number): Promise<TestMatch> =>
  (await matchesOf(id)).find((match) => match.round === round && match.position === position)!

type Score = readonly [games1: number, games2: number, absent?: readonly (1 | 2)[]]

const scoreOf = ([games1, games2, absent = []]: Score) => ({ games1, games2, absent })

async function result(id: string, [round, position]: [number, number], score: Score) {
  return referee.atMatch(id, await matchAt(id, round, position), 'result', scoreOf(score))
}

async function correct(id: string, [round, position]: [number, number], score: Score, again: string[] = []) {
  return referee.atMatch(id, await matchAt(id, round, position), 'correct', { ...scoreOf(score), again })
}

const events = async (id: string) =>
  portal.db
    .selectFrom('tournament_events')
    .select(['number', 'kind', 'change', 'undone_by'])
    .where('tournament_id', '=', id)
    .orderBy('number')
    .execute()

/** Four teams in the final: 1 of match 1.1 against 1 of match 1.2. */
async function aFinal(): Promise<string> {
  const id = await referee.aDraw(4)
  await result(id, [1, 1], [3, 0])
  await result(id, [1, 2], [3, 0])
  await referee.act(id, '/next-round')
  await result(id, [2, 1], [3, 0])
  await referee.act(id, '/next-round')
  return id
}

describe('a match at the desk', () => {
  test('is called, its teams are noted present, and its games are counted one by one', async () => {
    const id = await referee.aDraw(4)
    const called = await referee.atMatch(id, await matchAt(id, 1, 1), 'call')
    expect(called.body.changed).toEqual([
      expect.objectContaining({ position: 1, called_at: expect.any(String), team1_present: false }),
    ])
    await referee.atMatch(id, await matchAt(id, 1, 1), 'present', { side: 2, is_present: true })
    const marked = await matchAt(id, 1, 1)
    expect(marked).toMatchObject({ team1_present: false, team2_present: true })
    expect((await referee.read(id)).undoable).toEqual({ number: 5, kind: 'present', match_id: marked.id })
    for (const games of [1, 2]) {
      const { body } = await result(id, [1, 1], [games, 0])
      expect(body.changed).toEqual([
        expect.objectContaining({ team1_win_count: games, winning_team_id: null }),
      ])
    }
    const { body } = await result(id, [1, 1], [3, 0])
    expect(body.changed.map(({ round, position }: TestMatch) => [round, position])).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ])
    expect((await events(id)).map(({ kind }) => kind)).toEqual([
      'teams-add',
      'close',
      'draw',
      'call',
      'present',
      'result',
      'result',
      'result',
    ])
  })

  test('of the final is not decided by 1–0, and the tournament does not end with it', async () => {
    const id = await aFinal()
    expect((await result(id, [3, 1], [1, 0])).status).toBe(200)
    expect((await matchAt(id, 3, 1)).winning_team_id).toBeNull()
    expect((await referee.act(id, '/finish')).body.code).toBe('CONFLICT')
    await result(id, [3, 1], [5, 4])
    expect((await referee.act(id, '/finish')).body.phase).toBe('finished')
  })

  test('to which neither side came eliminates both and blocks nobody', async () => {
    const id = await referee.aDraw(4)
    await result(id, [1, 1], [0, 0, [1, 2]])
    expect(await matchAt(id, 1, 1)).toMatchObject({ is_void: true, winning_team_id: null })
    await result(id, [1, 2], [3, 1])
    const champion = (await matchAt(id, 1, 2)).team1_id
    expect(await matchAt(id, 3, 1)).toMatchObject({ team1_id: null, winning_team_id: champion })
    await referee.act(id, '/next-round')
    await referee.act(id, '/next-round')
    await referee.act(id, '/finish')
    expect(await referee.read(id)).toMatchObject({ phase: 'finished', winner: expect.any(String) })
  })

  test('of a tournament in which nobody is left: it ends without a champion', async () => {
    const id = await referee.aDraw(2, { max_round: 1 })
    await result(id, [2, 1], [0, 0, [1, 2]])
    expect((await referee.act(id, '/finish')).body).toMatchObject({ phase: 'finished', winner: null })
  })

  test.each([
    [[4, 0], 'tối đa 3 ván'],
    [[3, 3], 'chỉ một đội'],
    [[2, 1, [1]], 'vắng mặt'],
  ] as [Score, string][])('does not take %j', async (score, text) => {
    const id = await referee.aDraw(4)
    const { status, body } = await result(id, [1, 1], score)
    expect([status, body.errors.results[0]]).toEqual([422, expect.stringContaining(text)])
  })

  test('that another referee has changed is shown as it is now', async () => {
    const id = await referee.aDraw(4)
    const seen = await matchAt(id, 1, 1)
    await result(id, [1, 1], [1, 0])
    const late = await referee.atMatch(id, seen, 'result', scoreOf([0, 1]))
    expect([late.status, late.body.present]).toEqual([
      409,
      expect.objectContaining({ id: seen.id, team1_win_count: 1, team2_win_count: 0 }),
    ])
    // Another match at the same time is no conflict.
    expect((await result(id, [1, 2], [0, 1])).status).toBe(200)
  })

  test('of another tournament, or of another round, is refused', async () => {
    const [id, other] = [await referee.aDraw(4), await referee.aDraw(4)]
    const stranger = await matchAt(other, 1, 1)
    expect((await referee.atMatch(id, stranger, 'result', scoreOf([1, 0]))).status).toBe(404)
    expect((await result(id, [3, 1], [1, 0])).body.code).toBe('CONFLICT')
  })
})

describe('a correction', () => {
  test('names the matches that have to be played again before it is made', async () => {
    const id = await aFinal()
    await result(id, [3, 1], [2, 0])
    const [third, final] = [await matchAt(id, 2, 1), await matchAt(id, 3, 1)]
    const refused = await correct(id, [1, 1], [0, 3])
    expect([refused.status, refused.body.present]).toEqual([409, { again: [third.id, final.id] }])
    expect((await matchAt(id, 3, 1)).team1_id).toBe(final.team1_id)
    const first = await matchAt(id, 1, 1)
    const { status, body } = await correct(id, [1, 1], [0, 3], [third.id, final.id])
    expect([status, body.current_round]).toEqual([200, 2])
    expect(await matchAt(id, 3, 1)).toMatchObject({
      team1_id: first.team2_id,
      team1_win_count: 0,
      winning_team_id: null,
    })
    expect(await matchAt(id, 2, 1)).toMatchObject({ team1_id: first.team1_id, winning_team_id: null })
    expect((await lastTrailRow(portal, { action: 'tournaments.correct', id }))?.details).toMatchObject({
      before: { winning_team_id: first.team1_id },
      after: { winning_team_id: first.team2_id, again: [third.id, final.id] },
    })
  })

  test('of the score alone has nothing played again, and the round stays', async () => {
    const id = await aFinal()
    const { body } = await correct(id, [1, 2], [3, 2])
    expect([body.current_round, body.changed.length]).toEqual([3, 1])
  })

  test('of a closed round leaves a winner or nobody, never an open match', async () => {
    const id = await aFinal()
    expect((await correct(id, [1, 2], [2, 2])).body.code).toBe('CONFLICT')
  })

  test('of an early round leaves later results that no plain result may take back', async () => {
    const id = await referee.aDraw(16, { max_round: 4 })
    for (let round = 1; round <= 3; round++) {
      await referee.saveAll(id)
      if (round < 3) await referee.act(id, '/next-round')
    }
    const { body } = await correct(id, [1, 1], [0, 1])
    expect((await correct(id, [1, 1], [0, 1], body.present.again)).body.current_round).toBe(2)
    // The semi-final that follows from the third quarter-final is played.
    expect((await result(id, [2, 3], [0, 3])).body.code).toBe('CONFLICT')
    const several = await referee.save(id, [
      aResult(await matchAt(id, 2, 3), { team1_win_count: 0, team2_win_count: 3 }),
    ])
    expect(several.body.code).toBe('CONFLICT')
    expect((await result(id, [2, 3], [3, 2])).status).toBe(200)
    expect((await result(id, [2, 1], [3, 0])).status).toBe(200)
  })

  test('of a match to which neither side came is possible, and such a match may have to be played again', async () => {
    const id = await referee.aDraw(4)
    await result(id, [1, 1], [3, 0])
    await result(id, [1, 2], [3, 0])
    await referee.act(id, '/next-round')
    await result(id, [2, 1], [0, 0, [1, 2]])
    await referee.act(id, '/next-round')
    expect((await correct(id, [2, 1], [3, 0])).status).toBe(200)
    await referee.act(id, '/undo')
    const third = await matchAt(id, 2, 1)
    const refused = await correct(id, [1, 1], [0, 3])
    expect([refused.status, refused.body.present]).toEqual([409, { again: [third.id] }])
  })

  test('of what was not played is refused', async () => {
    const id = await referee.aDraw(4)
    expect((await correct(id, [1, 1], [3, 0])).body.code).toBe('CONFLICT')
    expect((await correct(id, [3, 1], [5, 0])).body.code).toBe('CONFLICT')
  })
})

describe('undo', () => {
  test('puts back one act after the other, up to the draw', async () => {
    const id = await referee.aDraw(4)
    const drawn = (await matchesOf(id)).map(stateOf)
    await referee.atMatch(id, await matchAt(id, 1, 1), 'call')
    await result(id, [1, 1], [3, 0])
    await result(id, [1, 2], [3, 0])
    await referee.act(id, '/next-round')
    expect((await referee.read(id)).undoable).toEqual({ number: 7, kind: 'next-round', match_id: null })
    for (let left = 4; left > 0; left--) expect((await referee.act(id, '/undo')).status).toBe(200)
    expect((await referee.read(id)).current_round).toBe(1)
    expect((await matchesOf(id)).map(stateOf)).toEqual(drawn)
    expect((await referee.act(id, '/undo')).body.code).toBe('CONFLICT')
    expect((await events(id)).map(({ undone_by }) => undone_by)).toEqual([
      null,
      null,
      null,
      11,
      10,
      9,
      8,
      null,
      null,
      null,
      null,
    ])
  })

  test('of a correction brings back what was to be played again', async () => {
    const id = await aFinal()
    await result(id, [3, 1], [2, 0])
    const before = (await matchesOf(id)).map(stateOf)
    const again = [(await matchAt(id, 2, 1)).id, (await matchAt(id, 3, 1)).id]
    await correct(id, [1, 1], [0, 3], again)
    await referee.act(id, '/undo')
    expect((await matchesOf(id)).map(stateOf)).toEqual(before)
    expect((await referee.read(id)).current_round).toBe(3)
  })

  test('opens a tournament again that was finished', async () => {
    const id = await aFinal()
    await result(id, [3, 1], [5, 0])
    await referee.act(id, '/finish')
    await referee.act(id, '/undo')
    expect(await referee.read(id)).toMatchObject({ phase: 'running', winner: null, current_round: 3 })
  })

  test('meant for another act than the last is refused', async () => {
    const id = await referee.aDraw(4)
    await result(id, [1, 1], [1, 0])
    expect((await referee.act(id, '/undo', { number: 1 })).body.code).toBe('CONFLICT')
  })

  const stateOf = ({ updated_at: _updatedAt, ...match }: TestMatch) => match
})

describe('a paused tournament', () => {
  test('calls nobody until it goes on', async () => {
    const id = await referee.aDraw(4)
    expect((await referee.act(id, '/pause')).body.paused_at).toEqual(expect.any(String))
    expect((await referee.act(id, '/pause')).body.code).toBe('CONFLICT')
    expect((await referee.atMatch(id, await matchAt(id, 1, 1), 'call')).body.code).toBe('CONFLICT')
    expect((await referee.act(id, '/resume')).body.paused_at).toBeNull()
    expect((await referee.atMatch(id, await matchAt(id, 1, 1), 'call')).status).toBe(200)
    expect((await referee.act(id, '/resume')).body.code).toBe('CONFLICT')
  })

  test('leaves called teams as much of their minute as they had', async () => {
    const id = await referee.aDraw(4)
    await referee.atMatch(id, await matchAt(id, 1, 1), 'call')
    const { paused_at } = (await referee.act(id, '/pause')).body
    const before = await matchAt(id, 1, 1)
    await referee.act(id, '/resume')
    const pausedMs = Date.now() - Date.parse(paused_at)
    const after = await matchAt(id, 1, 1)
    const shiftMs = Date.parse(after.called_at ?? '') - Date.parse(before.called_at ?? '')
    expect(shiftMs).toBeGreaterThan(0)
    expect(shiftMs).toBeLessThanOrEqual(pausedMs)
    expect((await matchAt(id, 1, 2)).called_at).toBeNull()
    await referee.act(id, '/undo')
    expect((await matchAt(id, 1, 1)).called_at).toBe(before.called_at)
  })
})

describe('registration', () => {
  test('is opened and closed before its dates by the referee', async () => {
    const id = await referee.aTournament({
      registration_start_at: new Date(Date.now() + 86_400_000).toISOString(),
    })
    expect((await referee.act(id, '/close')).body.code).toBe('CONFLICT')
    expect((await referee.act(id, '/open')).body.phase).toBe('registering')
    expect((await referee.act(id, '/open')).body.code).toBe('CONFLICT')
    expect((await referee.act(id, '/close')).body.phase).toBe('drawing')
    expect((await referee.addTeams(id, [{ name: 'A', members: ['a'] }])).body.code).toBe('CONFLICT')
  })
})
