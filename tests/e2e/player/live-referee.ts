import { setTimeout } from 'node:timers/promises'
import type { APIRequestContext } from '@playwright/test'
import { tournamentFields } from '#server/modules/tournaments/testing/referee.ts'
import { OPEN_TO_ALL } from '#server/modules/tournaments/testing/sign-up.ts'
import { expect } from './fixtures.ts'
import { aStaffMember } from './staff.ts'

export const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

type ReadMatch = {
  id: string
  round: number
  updated_at: string
  team1_id: string | null
  team2_id: string | null
}
type Read = {
  draw_from: string
  updated_at: string
  current_round: number
  matches: ReadMatch[]
}

/** A referee who runs one tournament by the operator's calls. */
export async function openReferee(request: APIRequestContext, dataDir: string, fields: object = {}) {
  const { token } = await aStaffMember(request, dataDir, 'referee')
  const headers = { authorization: `Bearer ${token}` }
  const send = async (path: string, body: object) => {
    const data = { reason: 'Giải thử', ...body }
    const answer = await request.post(`/api/operator/tournaments${path}`, { headers, data })
    expect(answer.ok(), await answer.text()).toBe(true)
    return (await answer.json()) as { id: string }
  }
  const common = { competition_start_at: inHours(2), ...OPEN_TO_ALL, max_round: 2 }
  const { id } = await send(
    '',
    tournamentFields({ name: `Giải trực tiếp ${Date.now()}`, ...common, ...fields }),
  )
  const read = async () =>
    (await (await request.get(`/api/operator/tournaments/${id}`, { headers })).json()) as Read
  const atMatch = async (path: string, body: object = {}) => {
    const { matches, current_round } = await read()
    const match = matches.find(
      ({ round, team1_id, team2_id }) => round === current_round && team1_id && team2_id,
    )
    if (!match) throw new Error('The round has a match')
    return send(`/${id}/matches/${match.id}/${path}`, { updated_at: match.updated_at, ...body })
  }
  const act = async (path: string, body: object = {}) =>
    send(`/${id}${path}`, { updated_at: (await read()).updated_at, ...body })
  return {
    id,
    atMatch,
    act,
    /** The closed list is drawn by a number that comes a second later. */
    async draw() {
      await act('/close')
      await setTimeout(Math.max(0, Date.parse((await read()).draw_from) - Date.now()))
      await act('/draw')
    },
    addTeams: (...names: string[]) =>
      send(`/${id}/teams`, { teams: names.map((name) => ({ name, members: [`${name} 1`] })) }),
  }
}
