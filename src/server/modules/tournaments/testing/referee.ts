import { setTimeout } from 'node:timers/promises'
import type { TestAnswer, TestApp } from '#tests/support/app.ts'
import type { OperatorMatch } from '#contract/operator/tournaments.ts'
import { drawnMaxRound, roundPoints } from '#contract/tournament-rules.ts'
import { anOperator } from '#tests/support/operators.ts'
import { invariant } from '#server/platform/values/errors.ts'

const DAY_MS = 86_400_000
export const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

export const tournamentFields = (change: object = {}) => ({
  name: 'Song Đấu',
  registration_start_at: inDays(-2),
  competition_start_at: inDays(2),
  mode: 1,
  fee: 100,
  type: 1,
  min_level: 10,
  max_level: 90,
  max_round: 3,
  allowed_classes: [1, 2, 3],
  ...change,
})

export const someTeams = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ name: `Đội ${n + 1}`, members: [`Ninja ${n + 1}`] }))

export type TestMatch = Pick<
  OperatorMatch,
  | 'id'
  | 'round'
  | 'position'
  | 'updated_at'
  | 'team1_id'
  | 'team2_id'
  | 'winning_team_id'
  | 'is_void'
  | 'called_at'
>

/** Of a round in which three games win. */
export const aResult = ({ id, updated_at }: TestMatch, change: object = {}) => ({
  match_id: id,
  team1_win_count: 3,
  team2_win_count: 0,
  absent_side: null,
  updated_at,
  ...change,
})

type Acting = {
  read(id: string): Promise<TestAnswer['body']>
  act(id: string, path: string, body?: object): Promise<TestAnswer>
}

/** Closes the list where it is open, waits for the round that draws it, and draws. */
async function closeAndDraw({ read, act }: Acting, id: string, body: object): Promise<TestAnswer> {
  const before = await read(id)
  const closed = before.draw_round === null ? (await act(id, '/close')).body : before
  if (closed.draw_from !== undefined)
    await setTimeout(Math.max(0, Date.parse(closed.draw_from) - Date.now() + 1))
  return act(id, '/draw', body)
}

export type Referee = Awaited<ReturnType<typeof openReferee>>

/** A referee who runs tournaments by the operator calls. */
export async function openReferee(portal: TestApp) {
  const { token } = await anOperator(portal, 'referee')
  const at = (id: string, path = '') => `/api/operator/tournaments/${id}${path}`
  const send = (method: 'POST' | 'PUT', path: string, body: object, key?: string): Promise<TestAnswer> =>
    portal.call(method, path, {
      token,
      body: { reason: 'Giải tháng này', ...body },
      ...(key === undefined ? {} : { key }),
    })
  const read = async (id: string) => (await portal.call('GET', at(id), { token })).body
  const updatedAt = async (id: string): Promise<string> => (await read(id)).updated_at
  const act = async (id: string, path: string, body: object = {}) =>
    send('POST', at(id, path), { updated_at: await updatedAt(id), ...body })
  const playable = async (id: string): Promise<TestMatch[]> => {
    const { matches, current_round } = await read(id)
    return (matches as TestMatch[]).filter(
      (match) => match.round === current_round && match.team1_id !== null && match.team2_id !== null,
    )
  }
  const save = (id: string, results: object[]) => send('PUT', at(id, '/results'), { results })
  /** How many games win a match of the round being played. */
  const points = async (id: string): Promise<number> => {
    const { max_round, current_round, matches } = await read(id)
    return roundPoints(current_round, drawnMaxRound(max_round, matches))
  }
  const saveAll = async (id: string, change: object = {}) => {
    const team1_win_count = await points(id)
    const matches = await playable(id)
    return save(
      id,
      matches.map((match) => aResult(match, { team1_win_count, ...change })),
    )
  }
  /** An act at the desk on a match. */
  const atMatch = (id: string, { id: match, updated_at }: TestMatch, path: string, body: object = {}) =>
    send('POST', at(id, `/matches/${match}/${path}`), { updated_at, ...body })
  const draw = (id: string, body: object = {}) => closeAndDraw({ read, act }, id, body)
  const addTeams = (id: string, teams: object[]) => send('POST', at(id, '/teams'), { teams })
  const aTournament = async (change: object = {}): Promise<string> => {
    const { status, body } = await send('POST', '/api/operator/tournaments', tournamentFields(change))
    invariant(status === 201, `a tournament is created: ${JSON.stringify(body)}`)
    return body.id
  }
  return {
    token,
    at,
    send,
    read,
    updatedAt,
    act,
    playable,
    save,
    saveAll,
    points,
    atMatch,
    draw,
    addTeams,
    aTournament,
    async aDraw(count: number, change: object = {}): Promise<string> {
      const id = await aTournament(change)
      await addTeams(id, someTeams(count))
      const { status, body } = await draw(id)
      invariant(status === 200, `it is drawn: ${JSON.stringify(body)}`)
      return id
    },
    playOn: (id: string) => playOn({ playable, saveAll, act }, id),
  }
}

type Playing = Pick<Acting, 'act'> & {
  playable(id: string): Promise<TestMatch[]>
  saveAll(id: string): Promise<TestAnswer>
}

/** Plays all rounds, the first side always winning; returns the last answer. */
async function playOn({ playable, saveAll, act }: Playing, id: string): Promise<TestAnswer> {
  for (;;) {
    // A round in which nobody has an opponent: with three teams, that for the third place.
    const saved = (await playable(id)).length === 0 ? null : await saveAll(id)
    invariant(saved?.status !== 422, `results are saved: ${JSON.stringify(saved?.body)}`)
    if ((await act(id, '/next-round')).status === 409) return act(id, '/finish')
  }
}
