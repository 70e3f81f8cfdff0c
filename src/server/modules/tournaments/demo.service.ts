import type { BodyOf } from '#contract/endpoint.ts'
import type { OperatorTournament, operatorTournaments } from '#contract/operator/tournaments.ts'
import { roundTime } from '#contract/draw-proof.ts'
import { drawnMaxRound, roundCount } from '#contract/tournament-rules.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Beacon } from './beacon.service.ts'
import { finishTournament, openNextRound, saveResults } from './desk.service.ts'
import { closeRegistration, drawTournament, revealNext } from './draw.service.ts'
import { createTournament, getOperatorTournament } from './operator-tournaments.service.ts'
import { addTeams } from './teams.service.ts'
import { findTournamentOfName } from './tournaments.queries.ts'

/** The games that each side won; the third figure is the winner where the other side was absent. */
type Result = readonly [number, number] | readonly [number, number, 1 | 2]

export type DemoTournament = {
  fields: Omit<BodyOf<typeof operatorTournaments.create>, 'reason'>
  teams: readonly { name: string; members: string[] }[]
  /** Closed when the competition begins. */
  isClosed: boolean
  /** What is played so far, round by round and from top to bottom; null where nothing is drawn yet. */
  results: readonly (readonly (Result | null)[])[] | null
}

type DemoDeps = PlatformDeps & { beacon: Beacon }

const REASON = 'Dữ liệu của bản dùng thử'
const MINUTE_MS = 60_000

/**
 * A tournament that is announced, registered, closed, drawn and played by the same acts as every other, each at its time.
 * What an earlier start has done of it is not done again.
 */
export async function playDemoTournament(deps: DemoDeps, demo: DemoTournament): Promise<void> {
  const { fields, teams, isClosed, results } = demo
  const opens = new Date(fields.registration_start_at)
  const starts = new Date(fields.competition_start_at)
  const at = (time: Date): DemoDeps => ({ ...deps, clock: { now: () => time } })
  const id =
    (await findTournamentOfName(deps.db, fields.name)) ??
    (await createTournament(at(opens), { identity: null, params: {}, body: { ...fields, reason: REASON } }))
      .id
  const read = () => getOperatorTournament(deps.db, id, deps.clock.now())
  const call = { identity: null, params: { id } }
  const body = async () => ({ updated_at: (await read()).updated_at, reason: REASON })
  if (teams.length > 0 && (await read()).teams.length === 0)
    await addTeams(at(opens), { ...call, body: { teams: [...teams], reason: REASON } })
  if (!isClosed) return
  if ((await read()).draw_round === null)
    await closeRegistration(at(new Date(starts.getTime() - MINUTE_MS)), { ...call, body: await body() })
  if (results === null) return
  const { draw_round, current_round } = await read()
  const drawnAt = roundTime(deps.beacon.chain, draw_round ?? 0)
  if (current_round === 0) await drawTournament(at(drawnAt), { ...call, body: await body() })
  if ((await read()).phase === 'drawing')
    await revealNext(at(drawnAt), { ...call, body: { ...(await body()), count: teams.length } })
  await playRounds(at(new Date(starts.getTime() + MINUTE_MS)), { id, read, results })
}

type Played = {
  id: string
  read(): Promise<OperatorTournament>
  results: NonNullable<DemoTournament['results']>
}

async function playRounds(deps: DemoDeps, { id, read, results }: Played): Promise<void> {
  const call = { identity: null, params: { id } }
  for (const [index, round] of results.entries()) {
    const tournament = await read()
    if (tournament.current_round > index + 1 || tournament.phase === 'finished') continue
    const entered = round.flatMap((result, place) => {
      const match = tournament.matches.find((one) => one.round === index + 1 && one.position === place + 1)
      return result === null || match === undefined ? [] : [toEntered(match, result)]
    })
    await saveResults(deps, { ...call, body: { results: entered, reason: REASON } })
    if (round.includes(null)) return
    const { updated_at, matches, max_round } = await read()
    const body = { updated_at, reason: REASON }
    const isLast = index + 1 === roundCount(drawnMaxRound(max_round, matches))
    if (isLast) await finishTournament(deps, { ...call, body })
    else if (index + 1 < results.length) await openNextRound(deps, { ...call, body })
  }
}

function toEntered({ id, updated_at }: OperatorTournament['matches'][number], [one, two, winner]: Result) {
  const absent_side = winner === undefined ? null : winner === 1 ? (2 as const) : (1 as const)
  return { match_id: id, updated_at, team1_win_count: one, team2_win_count: two, absent_side }
}
