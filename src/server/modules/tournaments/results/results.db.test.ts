import { describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { useReferee } from '#tests/support/fixtures.ts'
import { someTeams, type TestMatch } from '../testing/referee.ts'
import { anEntrant, type Entrant, OPEN_TO_ALL, signUp } from '../testing/sign-up.ts'

const portal = useTestApp()
const referee = useReferee(portal)

/** A tournament in which one player plays beside teams of the operator's. */
async function drawnWith(entrant: Entrant, { others = 3, change = {} } = {}): Promise<string> {
  const id = await referee.aTournament({ ...OPEN_TO_ALL, max_round: 2, ...change })
  await referee.addTeams(id, someTeams(others))
  const { status } = await signUp(portal, id, entrant, { name: 'Độc Hành' })
  expect(status).toBe(201)
  await referee.draw(id)
  return id
}

const own = async ({ player }: Entrant, query = '') =>
  (await portal.call('GET', `/api/tournaments/results${query}`, { token: player.token })).body

const ofName = async (name: string) =>
  (await portal.call('GET', `/api/tournaments/characters/${encodeURIComponent(name)}/results`)).body

async function characterName({ character }: Entrant): Promise<string> {
  const { character_name } = await portal.db
    .selectFrom('team_members')
    .select('character_name')
    .where('character_id', '=', character)
    .executeTakeFirstOrThrow()
  return character_name
}

describe('the results of a player', () => {
  test('say where the team stands, while it plays and when it is over', async () => {
    const entrant = await anEntrant(portal)
    const id = await drawnWith(entrant)
    const first = (await own(entrant)).data
    expect(first).toEqual([
      expect.objectContaining({
        tournament_id: id,
        team_name: 'Độc Hành',
        server_name: expect.any(String),
        standing: 'next',
        won: 0,
        lost: 0,
      }),
    ])
    await referee.playOn(id)
    const { matches } = await referee.read(id)
    const teamId = first[0].team_id
    // Of four teams each plays twice: in a semi-final, and then in the final or for the third place.
    const played = (matches as TestMatch[]).filter(({ team1_id, team2_id }) =>
      [team1_id, team2_id].includes(teamId),
    )
    const [, isWon = false] = played.map(({ winning_team_id }) => winning_team_id === teamId)
    const won = played.filter(({ winning_team_id }) => winning_team_id === teamId).length
    const [whenWon, whenLost] = played[1]?.round === 3 ? ['champion', 'second'] : ['third', 'fourth']
    expect((await own(entrant)).data).toEqual([
      expect.objectContaining({
        standing: isWon ? whenWon : whenLost,
        round: played[1]?.round,
        max_round: 2,
        won,
        lost: 2 - won,
      }),
    ])
  })

  test('have no tournament that is cancelled, or whose draw is not wholly public', async () => {
    const entrant = await anEntrant(portal)
    const live = await drawnWith(entrant, { change: { mode: 0 } })
    await referee.act(live, '/draw/next', { count: 3 })
    const cancelled = await drawnWith(entrant)
    await referee.act(cancelled, '/cancel')
    expect((await own(entrant)).data).toEqual([])
    await referee.act(live, '/draw/next')
    expect((await own(entrant)).data).toEqual([expect.objectContaining({ tournament_id: live })])
  })

  test('count no match without an opponent as won', async () => {
    const entrant = await anEntrant(portal)
    await drawnWith(entrant, { others: 2 })
    const [result] = (await own(entrant)).data
    expect(result).toMatchObject({ won: 0, lost: 0, standing: 'next' })
  })

  test('are read page by page, the newest first, and belong to nobody else', async () => {
    const entrant = await anEntrant(portal)
    const ids: string[] = []
    for (const hours of [3, 1, 2]) {
      const competition_start_at = new Date(Date.now() + hours * 3_600_000).toISOString()
      ids.push(await drawnWith(entrant, { others: 1, change: { max_round: 1, competition_start_at } }))
    }
    const pages = [await own(entrant, '?items_per_page=2'), await own(entrant, '?items_per_page=2&page=2')]
    expect(
      pages.flatMap(({ data }) => data.map((row: { tournament_id: string }) => row.tournament_id)),
    ).toEqual([ids[0], ids[2], ids[1]])
    expect(pages[1].payload.pagination).toMatchObject({ total: 3, last_page: 2 })
    expect((await own(await anEntrant(portal))).data).toEqual([])
  })
})

describe('the results of a character', () => {
  test('are found by its name, however it is written, and name no account', async () => {
    const entrant = await anEntrant(portal)
    const id = await drawnWith(entrant)
    const { data } = await ofName((await characterName(entrant)).toUpperCase())
    expect(data).toEqual([expect.objectContaining({ tournament_id: id, team_name: 'Độc Hành' })])
    expect(Object.values(data[0])).not.toContain(entrant.player.username)
    expect(Object.keys(data[0]).join()).not.toMatch(/user|account/)
  })

  test('of nobody are an empty page, and a name that is too long is refused', async () => {
    expect((await ofName('Không Ai')).data).toEqual([])
    const path = `/api/tournaments/characters/${'x'.repeat(41)}/results`
    const { status, body } = await portal.call('GET', path)
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['name']])
  })
})
