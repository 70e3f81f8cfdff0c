import { setTimeout } from 'node:timers/promises'
import { roundPoints } from '#contract/tournament-rules.ts'
import { tournamentFields } from '#server/modules/tournaments/testing/referee.ts'
import { OPEN_TO_ALL } from '#server/modules/tournaments/testing/sign-up.ts'
import { type BenchPortal, anOperator, type Send } from './bench-portal.ts'

const TEAMS_AT_ONCE = 64

type DeskMatch = { id: string; round: number; position: number; team1_id: string | null }

export type Desk = {
  id: string
  /** The number of the last event so far. */
  event: number
  /** Calls the next match, enters its result, or opens the next round. Each is one event. */
  act(): Promise<{ number: number; sentAt: number }>
}

/** A tournament of 2^maxRound teams that is drawn, and its referee. */
export async function openDesk(portal: BenchPortal, maxRound: number): Promise<Desk> {
  const send = await anOperator(portal, portal.databaseUrl)
  const id = await drawTournament(send, maxRound)
  const read = async () => (await send(`/operator/tournaments/${id}`)).body
  const first = await fetch(`${portal.url}/api/tournaments/brackets/${id}`)
  let { event } = (await first.json()) as { event: number }
  let updated_at: string = (await read()).updated_at
  const steps = stepsOf(maxRound, (await read()).matches)
  return {
    id,
    event,
    async act() {
      const { path, body } = steps.next().value ?? {}
      if (path === undefined) throw new Error('the tournament is over')
      const sentAt = Date.now()
      const answer = await send(`/operator/tournaments/${id}${path}`, {
        ...body,
        updated_at,
        reason: 'Giải đo',
      })
      updated_at = answer.body.updated_at
      return { number: ++event, sentAt }
    },
  }
}

async function drawTournament(send: Send, maxRound: number): Promise<string> {
  const reason = 'Giải đo'
  const fields = tournamentFields({ name: `Giải ${2 ** maxRound} đội`, ...OPEN_TO_ALL, max_round: maxRound })
  const made = await send('/operator/tournaments', { ...fields, reason })
  const { id } = made.body as { id: string }
  const teams = Array.from({ length: 2 ** maxRound }, (_, n) => ({
    name: `Hội ninja số ${n + 1}`,
    members: [`Ninja${n + 1}`],
  }))
  for (let from = 0; from < teams.length; from += TEAMS_AT_ONCE)
    await send(`/operator/tournaments/${id}/teams`, {
      teams: teams.slice(from, from + TEAMS_AT_ONCE),
      reason,
    })
  const { updated_at } = (await send(`/operator/tournaments/${id}`)).body
  const { body: closed } = await send(`/operator/tournaments/${id}/close`, { updated_at, reason })
  await setTimeout(Math.max(0, Date.parse(String(closed.draw_from)) - Date.now()))
  await send(`/operator/tournaments/${id}/draw`, { updated_at: closed.updated_at, reason })
  return id
}

/** Each match is called, then has its result; and the next round once a round is over. */
function* stepsOf(maxRound: number, matches: readonly DeskMatch[]) {
  const rounds = Math.max(...matches.map(({ round }) => round))
  for (let round = 1; round <= rounds; round++) {
    const points = roundPoints(round, maxRound)
    for (const { id } of matches.filter((match) => match.round === round)) {
      yield { path: `/matches/${id}/call`, body: {} }
      yield { path: `/matches/${id}/result`, body: { games1: points, games2: 0, absent: [] } }
    }
    if (round < rounds) yield { path: '/next-round', body: {} }
  }
}
