import * as fc from 'fast-check'
import { expect } from 'vitest'
import { type EnteredResult, roundPoints } from '#contract/tournament-rules.ts'
import { type BracketMatch, wasPlayed } from '#server/modules/tournaments/bracket.rules.ts'
import { verifyDraw } from '#contract/draw-proof.ts'
import type { TestAnswer } from '../app.ts'
import type { Cut } from './cut-connections.ts'
import { type DayWorld, operatorAct, sometimesCut } from './day.ts'
import { DeskModel } from './model.ts'

const DESK_ACTS = [
  'result',
  'result',
  'result',
  'correct',
  'call',
  'present',
  'pause',
  'resume',
  'next',
  'finish',
  'undo',
] as const
export const deskActs = fc.array(
  fc.record({
    kind: fc.constantFrom(...DESK_ACTS),
    which: fc.nat(),
    outcome: fc.constantFrom('one', 'two', 'score', 'absent', 'both'),
    cut: sometimesCut,
  }),
  { minLength: 8, maxLength: 24, size: 'max' },
)

type Act = {
  kind: (typeof DESK_ACTS)[number]
  which: number
  outcome: string
  cut: Cut | null
}

type Running = { world: DayWorld; id: string; model: DeskModel }

function resultOf(outcome: string, points: number): EnteredResult {
  if (outcome === 'one') return { games: [points, 0], absent: [] }
  if (outcome === 'two') return { games: [0, points], absent: [] }
  if (outcome === 'score') return { games: [points - 1, 0], absent: [] }
  return { games: [0, 0], absent: outcome === 'absent' ? [1] : [1, 2] }
}

type Match = {
  id: string
  round: number
  position: number
  team1_id: string | null
  team2_id: string | null
  team1_win_count: number
  team2_win_count: number
  absent_side: number | null
  winning_team_id: string | null
  is_void: boolean
  called_at: string | null
  team1_present: boolean
  team2_present: boolean
  updated_at: string
}

/** What the public sees is what the model has; nobody plays twice in a round. */
async function expectDesk({ world: { portal }, id, model }: Running): Promise<void> {
  const { body } = await portal.call('GET', `/api/tournaments/brackets/${id}`)
  const seen = (body.matches as Match[]).map((match) => ({
    at: `${match.round}.${match.position}`,
    sides: [match.team1_id, match.team2_id],
    games: [match.team1_win_count, match.team2_win_count],
    winner: match.winning_team_id,
    isVoid: match.is_void,
    call: { isCalled: match.called_at !== null, present: [match.team1_present, match.team2_present] },
  }))
  const expected = model.desk.matches.map((match) => ({
    at: `${match.round}.${match.position}`,
    sides: match.sides,
    games: match.games,
    winner: match.winner,
    isVoid: match.isVoid,
    call: model.callOf(match),
  }))
  expect(seen).toEqual(expected)
  const { current_round, paused_at, finished_at } = body.tournament
  expect([current_round, paused_at !== null, finished_at !== null]).toEqual([
    model.desk.round,
    model.desk.isPaused,
    model.desk.isFinished,
  ])
  for (const round of new Set(seen.map(({ at }) => at.split('.')[0]))) {
    const playing = seen.filter(({ at }) => at.startsWith(`${round}.`)).flatMap(({ sides }) => sides)
    const teams = playing.filter((team) => team !== null)
    expect(new Set(teams).size).toBe(teams.length)
  }
}

type DeskAct = Pick<Act, 'kind' | 'cut'> & {
  match?: BracketMatch | undefined
  result?: EnteredResult
}

/** One act of the referee and of the model; both allow it, or neither does. */
async function deskAct(running: Running, { kind, match, result, cut }: DeskAct): Promise<void> {
  const { world, id, model } = running
  const { referee } = world
  const { matches } = await referee.read(id)
  const stored = (place: BracketMatch) =>
    (matches as Match[]).find(
      ({ round, position }) => round === place.round && position === place.position,
    ) as Match
  const score = { games1: result?.games[0], games2: result?.games[1], absent: result?.absent }
  const atMatch = async (path: string, body: object) => {
    const { id: matchId, updated_at } = stored(match as BracketMatch)
    return operatorAct(world, { id, path: `/matches/${matchId}/${path}`, body: { updated_at, ...body }, cut })
  }
  const acts: Record<string, () => Promise<[TestAnswer, boolean]>> = {
    async result() {
      const isAllowed = model.result(match as BracketMatch, result as EnteredResult)
      return [await atMatch('result', score), isAllowed]
    },
    async correct() {
      const again = model.correct(match as BracketMatch, result as EnteredResult)
      const ids = (again ?? []).map((one) => stored(one).id)
      if (ids.length > 0)
        expect((await atMatch('correct', { ...score, again: [] })).body.code).toBe('CONFLICT')
      return [await atMatch('correct', { ...score, again: ids }), again !== null]
    },
    call: async () => [await atMatch('call', {}), model.call(match as BracketMatch)],
    present: async () => [
      await atMatch('present', { side: 2, is_present: true }),
      model.present(match as BracketMatch, 2),
    ],
    pause: async () => [await operatorAct(world, { id, path: '/pause', cut }), model.pause(true)],
    resume: async () => [await operatorAct(world, { id, path: '/resume', cut }), model.pause(false)],
    next: async () => [await operatorAct(world, { id, path: '/next-round', cut }), model.next()],
    finish: async () => [await operatorAct(world, { id, path: '/finish', cut }), model.finish()],
    undo: async () => [await operatorAct(world, { id, path: '/undo', cut }), model.undo()],
  }
  const [answer, isAllowed] = await (acts[kind] as (typeof acts)[string])()
  expect(answer.status < 300, `${kind}: ${JSON.stringify(answer.body)}`).toBe(isAllowed)
  await expectDesk(running)
}

export async function play(world: DayWorld, id: string, acts: readonly Act[]): Promise<void> {
  const { portal, referee } = world
  const { body: draw } = await portal.call('GET', `/api/tournaments/${id}/draw`)
  expect(verifyDraw(draw)).toEqual([])
  const model = new DeskModel(draw.lineup)
  const running: Running = { world, id, model }
  await expectDesk(running)
  for (const { kind, which, outcome, cut } of acts) {
    const { matches, round } = model.desk
    const among =
      kind === 'correct' ? matches.filter(wasPlayed) : matches.filter((match) => match.round === round)
    const match = among[which % Math.max(1, among.length)]
    const needsMatch = ['result', 'correct', 'call', 'present'].includes(kind)
    if (needsMatch && match === undefined) continue
    const result = match && resultOf(outcome, roundPoints(match.round, model.maxRound))
    await deskAct(running, { kind, cut, match, ...(result && { result }) })
  }
  // Whatever happened before: playing on ends the tournament.
  if (model.desk.isPaused) await deskAct(running, { kind: 'resume', cut: null })
  for (;;) {
    for (const match of model.openMatches)
      await deskAct(running, {
        kind: 'result',
        match,
        result: resultOf('one', roundPoints(match.round, model.maxRound)),
        cut: null,
      })
    if (model.isLastRound) break
    await deskAct(running, { kind: 'next', cut: null })
  }
  if (!model.desk.isFinished) await deskAct(running, { kind: 'finish', cut: null })
  const final = model.desk.matches.at(-1) as BracketMatch
  expect((await referee.read(id)).phase).toBe('finished')
  const { winning_team_id } = await portal.db
    .selectFrom('tournaments')
    .select('winning_team_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect([winning_team_id, winning_team_id === null]).toEqual([final.winner, final.isVoid])
}
