import { beforeAll, describe, expect, test } from 'vitest'
import type { TournamentEvent } from '#contract/tournaments.ts'
import { useTestApp } from '#tests/support/app.ts'
import { openStream } from '#tests/support/event-stream.ts'
import { useReferee } from '#tests/support/fixtures.ts'
import { someTeams, type TestMatch } from './testing/referee.ts'

const portal = useTestApp()
const referee = useReferee(portal)
let url: string
beforeAll(async () => {
  url = await portal.app.listen({ host: '127.0.0.1', port: 0 })
})

const follow = (id: string, { after, resumed }: { after?: number; resumed?: number } = {}) =>
  openStream<TournamentEvent>(
    `${url}/api/tournaments/${id}/events${after === undefined ? '' : `?after=${after}`}`,
    resumed === undefined ? {} : { 'last-event-id': String(resumed) },
  )

const bracket = async (id: string) => (await portal.call('GET', `/api/tournaments/brackets/${id}`)).body

async function play(id: string, [games1, games2]: [number, number]) {
  const [match] = await referee.playable(id)
  return referee.atMatch(id, match as TestMatch, 'result', { games1, games2, absent: [] })
}

describe('who follows a tournament', () => {
  test('receives what each act has changed, within a second and without names', async () => {
    const id = await referee.aDraw(4)
    const follower = await follow(id, { after: (await bracket(id)).event })
    expect(Object.fromEntries(follower.answer.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    })
    const at = Date.now()
    await play(id, [1, 0])
    const { id: number, data } = await follower.next()
    expect(Date.now() - at).toBeLessThan(1_000)
    expect(number).toBe((await bracket(id)).event)
    expect(data.matches).toEqual([expect.objectContaining({ team1_win_count: 1, winning_team_id: null })])
    expect(data.matches?.[0]).not.toHaveProperty('team_one')
    await referee.act(id, '/pause')
    expect((await follower.next()).data.tournament).toEqual({ paused_at: expect.any(String) })
    follower.leave()
  })

  test('receives what was missed when they come back, and nothing twice', async () => {
    const id = await referee.aDraw(4)
    const { event } = await bracket(id)
    for (const games of [1, 2]) await play(id, [games, 0])
    const follower = await follow(id, { resumed: event })
    expect([(await follower.next()).id, (await follower.next()).id]).toEqual([event + 1, event + 2])
    await play(id, [3, 0])
    expect((await follower.next()).id).toBe(event + 3)
    const other = await follow(id, { after: event + 2 })
    expect((await other.next()).id).toBe(event + 3)
    for (const one of [follower, other]) one.leave()
  })

  test('is sent what another process has done', async () => {
    const id = await referee.aDraw(4)
    const follower = await follow(id, { after: (await bracket(id)).event })
    // As another process writes it: without a notice, the poll finds it.
    await portal.db
      .insertInto('tournament_events')
      .values({ tournament_id: id, number: (await bracket(id)).event + 1, kind: 'pause', change: '{}' })
      .execute()
    expect((await follower.next()).data).toEqual({})
    follower.leave()
  })

  test('sees a live draw team by team, and is told to read the bracket when it is whole', async () => {
    const id = await referee.aTournament({ mode: 0, max_round: 2 })
    await referee.addTeams(id, someTeams(4))
    const follower = await follow(id, { after: (await bracket(id)).event })
    await referee.draw(id)
    // The list is closed, and when it is drawn.
    expect((await follower.next()).data.tournament).toMatchObject({
      draw_commitment: expect.any(String),
      draw_from: expect.any(String),
    })
    // The matches that it has made are read, since spectators know none of them.
    expect((await follower.next()).data).toMatchObject({
      tournament: { current_round: 1, drawn_at: expect.any(String) },
      isWhole: true,
    })
    await referee.act(id, '/draw/next')
    expect(await follower.next()).toMatchObject({ data: { tournament: {} } })
    const { data } = await follower.next()
    const placed = data.matches?.flatMap(({ team1_id, team2_id }) => [team1_id, team2_id])
    expect(placed?.filter((team) => team !== null)).toHaveLength(1)
    await referee.act(id, '/draw/next', { count: 3 })
    await follower.next()
    expect((await follower.next()).data).toEqual({ isWhole: true })
    follower.leave()
  })

  test('sees the beat of a draw without an act for each team', async () => {
    const id = await referee.aTournament({ mode: 0, max_round: 1 })
    await referee.addTeams(id, someTeams(2))
    await referee.draw(id)
    const follower = await follow(id, { after: (await bracket(id)).event })
    await referee.act(id, '/draw/next', { beat: true })
    await follower.next()
    const whole = await follower.next()
    // The first team at once, the second three seconds later: then all is public.
    expect(whole.id).toBeNull()
    follower.leave()
  })

  test('of none there is not found; no more than 200 streams of one address are open', async () => {
    expect((await follow('999999')).answer.status).toBe(404)
    const id = await referee.aTournament()
    const open = await Promise.all(Array.from({ length: 200 }, () => follow(id)))
    const refused = await follow(id)
    expect([refused.answer.status, refused.answer.headers.get('retry-after')]).toEqual([429, '10'])
    for (const one of [...open, refused]) one.leave()
  })
})
