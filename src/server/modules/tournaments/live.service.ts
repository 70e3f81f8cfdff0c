import type { FastifyInstance } from 'fastify'
import { drawPublicAt, REVEAL_SECONDS, revealedTeams } from '#contract/tournament-rules.ts'
import { type TournamentEvent, watchTournament } from '#contract/tournaments.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { type BroadcastSource, MISSED, serveBroadcast } from '#server/platform/http/broadcasts.ts'
import { readGameNames } from '#server/domain/game-names.ts'
import { findLastNumber, listEventsAfter } from './events.queries.ts'
import { withoutNames } from './events.service.ts'
import { findTournament } from './tournaments.queries.ts'
import { getBracket, requireTournament, revealOf } from './tournaments.service.ts'

type LiveDeps = Pick<PlatformDeps, 'db' | 'clock' | 'log' | 'listener'>

/** Sends spectators what happens in a tournament. */
export function registerLiveTournaments(app: FastifyInstance, api: Api, deps: LiveDeps): void {
  serveBroadcast(app, api, deps, {
    endpoint: watchTournament,
    channel: 'tournament_changed',
    topicOf: async (params) => (await requireTournament(deps.db, (params as { id: string }).id)).id,
    lastOf: (id) => findLastNumber(deps.db, id),
    eventsAfter: async (id, number, limit) =>
      (await listEventsAfter(deps.db, id, { number, limit })).map((event) => ({
        number: event.number,
        data: event.change,
      })),
    changesByTime: drawFollower(deps),
  })
}

/** A draw that is shown team by team, or at its hour: each look sends what is public since the last one. */
function drawFollower({ db, clock }: LiveDeps): NonNullable<BroadcastSource['changesByTime']> {
  /** How many teams were public at the last look, of draws that are being shown. */
  const shown = new Map<string, number>()
  return async (id) => {
    const now = clock.now()
    const row = await findTournament(db, id)
    if (row === undefined || row.drawn_at === null) return { data: [], againInMs: null }
    const reveal = revealOf(row)
    const publicAt = drawPublicAt(reveal)
    const before = shown.get(id)
    if (publicAt !== null && publicAt <= now) {
      shown.delete(id)
      return { data: before === undefined ? [] : [MISSED], againInMs: null }
    }
    const present = revealedTeams(reveal, now)
    shown.set(id, present)
    const isNew = before !== undefined && present > before
    return { data: isNew ? [await drawnSoFar(db, id, now)] : [], againInMs: waitFor(row.reveal_from, now) }
  }
}

const drawnSoFar = async (db: LiveDeps['db'], id: string, now: Date): Promise<TournamentEvent> => {
  const { matches } = await getBracket(db, id, { names: await readGameNames(db), now })
  const drawn = matches.filter((match) => match.team1_id !== null || match.team2_id !== null)
  return { matches: drawn.map(withoutNames) }
}

/** Until the next team, or the hour of the draw; null while only the referee's button shows one. */
function waitFor(from: Date | null, now: Date): number | null {
  if (from === null) return null
  if (now < from) return from.getTime() - now.getTime()
  const beatMs = REVEAL_SECONDS * 1_000
  return beatMs - ((now.getTime() - from.getTime()) % beatMs)
}
