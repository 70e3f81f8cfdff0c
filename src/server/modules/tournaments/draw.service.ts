import type { AnswerOf } from '#contract/endpoint.ts'
import type { operatorTournaments } from '#contract/operator/tournaments.ts'
import { drawPublicAt, revealedTeams } from '#contract/tournament-rules.ts'
import type { getDraw } from '#contract/tournaments.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { firstActOf } from '#server/modules/audit/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { firstRound, newBracket } from './bracket.rules.ts'
import {
  DRAW_ALGORITHM,
  drawnRounds,
  drawOrder,
  firstSides,
  listDigest,
  type RecordedDraw,
  roundsNeeded,
  seedOf,
  teamDigest,
} from './draw.rules.ts'
import { insertMatches } from './matches.queries.ts'
import { actOnTournament } from './operator-tournaments.service.ts'
import { closeList, dismissOthers } from './places.service.ts'
import { listDrawnOrder, listTeams, updateDrawPositions, updateSeeds } from './teams.queries.ts'
import {
  notAnnounced,
  notClosable,
  notDrawable,
  notLive,
  notRevealable,
  notSeedable,
  publishedTooLate,
  tooFewTeams,
  unknownSeed,
} from './tournaments.errors.ts'
import { findStoredDraw, updateTournament } from './tournaments.queries.ts'
import { requireTournament, revealOf } from './tournaments.service.ts'

export const openRegistration = (deps: PlatformDeps, call: UserCall<typeof operatorTournaments.open>) =>
  actOnTournament(deps, call, 'open', async (tx, { id, phase }) => {
    if (phase !== 'announced') throw notAnnounced(phase)
    await updateTournament(tx, id, { opened_at: deps.clock.now() })
    return { before: { phase }, after: { phase: 'registering' } }
  })

export const closeRegistration = (deps: PlatformDeps, call: UserCall<typeof operatorTournaments.close>) =>
  actOnTournament(deps, call, 'close', async (tx, tournament) => {
    const { phase } = tournament
    if (phase !== 'registering') throw notClosable(phase)
    await closeList(tx, tournament, deps.clock.now())
    return { before: { phase }, after: { phase: 'drawing' } }
  })

export const seedTeams = (deps: PlatformDeps, call: UserCall<typeof operatorTournaments.seeds>) =>
  actOnTournament(deps, call, 'seeds', async (tx, { id, phase, current_round }) => {
    if (current_round > 0 || phase === 'cancelled') throw notSeedable(phase)
    const seeds = [...new Set(call.body.teams)]
    const teams = await listTeams(tx, id)
    if (seeds.some((seed) => !teams.some((team) => team.id === seed))) throw unknownSeed()
    const before = teams
      .filter(({ seed }) => seed !== null)
      .sort((a, b) => (a.seed ?? 0) - (b.seed ?? 0))
      .map((team) => team.id)
    await updateSeeds(tx, id, seeds)
    return { before: { seeds: before }, after: { seeds } }
  })

/** How long before its publication a draw may be made. */
const PUBLISHED_WITHIN_MS = 7 * 86_400_000

export const drawTournament = (deps: PlatformDeps, call: UserCall<typeof operatorTournaments.draw>) =>
  actOnTournament(deps, call, 'draw', async (tx, tournament) => {
    const { id, phase, max_round, mode, current_round } = tournament
    if ((phase !== 'registering' && phase !== 'drawing') || current_round > 0) throw notDrawable(phase)
    const now = deps.clock.now()
    const publishAt = call.body.publish_at === undefined ? now : new Date(call.body.publish_at)
    if (publishAt.getTime() > now.getTime() + PUBLISHED_WITHIN_MS) throw publishedTooLate()
    // Its date has come, and no job has closed it yet.
    if (phase === 'drawing' && tournament.closed_at === null) await closeList(tx, tournament, now)
    const teams = (await listTeams(tx, id)).filter(({ state }) => state === 'admitted')
    if (teams.length < 2) throw tooFewTeams(teams.length)
    const stored = await findStoredDraw(tx, id)
    invariant(stored, 'a locked tournament is there')
    const list = teams.map((team) => ({ id: team.id, digest: teamDigest(team), seed: team.seed }))
    const order = drawOrder(stored.secret, list)
    const rounds = roundsNeeded(teams.length)
    await insertMatches(
      tx,
      newBracket(rounds, firstSides(order)).map(({ round, position, sides, winner, isVoid }) => ({
        tournament_id: id,
        round,
        position,
        team1_id: sides[0],
        team2_id: sides[1],
        winning_team_id: winner,
        is_void: isVoid,
      })),
    )
    await updateDrawPositions(tx, id, order)
    await dismissOthers(tx, tournament, now)
    const after = { max_round: drawnRounds(max_round, teams.length), current_round: firstRound(rounds) }
    await updateTournament(tx, id, {
      ...after,
      draw_seed: seedOf(stored.secret, list),
      drawn_at: now,
      drawn_list: JSON.stringify(list),
      reveal_from: mode === 1 ? publishAt : null,
    })
    // The order of a draw that is not public yet would be read in the audit trail.
    return {
      before: { max_round, current_round: 0 },
      after: { ...after, team_count: teams.length, list_digest: listDigest(list) },
    }
  })

export const revealNext = (deps: PlatformDeps, call: UserCall<typeof operatorTournaments.revealNext>) =>
  actOnTournament(deps, call, 'reveal', async (tx, { id, phase, mode }, row) => {
    if (mode !== 0) throw notLive()
    if (phase !== 'drawing' || row.drawn_at === null) throw notRevealable(phase)
    const now = deps.clock.now()
    const shown = revealedTeams(revealOf(row), now)
    const { beat, count = 1 } = call.body
    const teams = row.drawn_count ?? 0
    const revealed = beat === undefined ? Math.min(teams, shown + count) : shown
    await updateTournament(tx, id, {
      revealed,
      // The last team by the button makes the draw public at this moment.
      reveal_from: beat === true || revealed === teams ? now : null,
    })
    return { before: { revealed: shown }, after: { revealed, beat: beat === true } }
  })

export async function readDraw(db: Db, id: string, now: Date): Promise<AnswerOf<typeof getDraw>> {
  const row = await requireTournament(db, id)
  const stored = await findStoredDraw(db, row.id)
  const reveal = revealOf(row)
  const publicAt = drawPublicAt(reveal)
  const isPublic = publicAt !== null && publicAt <= now
  const list = stored?.list ?? []
  const teams = new Map((await listTeams(db, row.id)).map((team) => [team.id, team]))
  const order = list.length === 0 ? [] : await listDrawnOrder(db, row.id)
  return {
    commitment: row.draw_commitment,
    secret: isPublic ? (stored?.secret ?? null) : null,
    teams: list.map((listed) => {
      const team = teams.get(listed.id)
      // A name that was changed or erased after the draw cannot be checked any more.
      const name = team && teamDigest(team) === listed.digest ? team.name : null
      return { ...listed, name }
    }),
    order: isPublic ? order : order.slice(0, revealedTeams(reveal, now)),
    algorithm: DRAW_ALGORITHM,
  }
}

/** What the audit trail has about a draw. */
export async function readRecordedDraw(db: Db, id: string): Promise<RecordedDraw> {
  const { closed_at } = await requireTournament(db, id)
  const subject = { type: 'tournament', id }
  return {
    created: await firstActOf(db, subject, 'tournaments.create'),
    drawn: await firstActOf(db, subject, 'tournaments.draw'),
    closedAt: closed_at,
  }
}
