import {
  BEACON_ALGORITHM,
  type Draw,
  lineupOf,
  nameDigest,
  orderOfPlaces,
  randomnessOf,
  roundTime,
  SECRET_ALGORITHM,
  seedOf,
  teamDigest,
} from '#contract/draw-proof.ts'
import {
  type OperatorTournamentRow,
  type operatorTournaments,
  TEAMS_MAX,
} from '#contract/operator/tournaments.ts'
import { drawPublicAt, isListBeingClosed, revealedTeams } from '#contract/tournament-rules.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { firstActOf } from '#server/modules/audit/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { type Beacon, signatureIn } from './beacon.service.ts'
import { firstRound, newBracket, stateOf } from './bracket.rules.ts'
import {
  findDraw,
  findSecretDraw,
  listTeamsOfDraw,
  type StoredDraw,
  type TeamOfDraw,
  updateSignature,
} from './draw.queries.ts'
import { drawnRounds, firstSides, type RecordedDraw, roundsNeeded } from './draw.rules.ts'
import { allDue, listNotDrawn } from './follow-up.queries.ts'
import { closeList } from './freeze.service.ts'
import { insertMatches } from './matches.queries.ts'
import { actOnTournament, type TournamentCall } from './operator-tournaments.service.ts'
import { TEAMS_AT_ONCE, withdraw } from './places.service.ts'
import { listAdmitted, listTeams, updateDrawPositions, updateSeeds } from './teams.queries.ts'
import { assertListOpen } from './teams.service.ts'
import {
  beaconSilent,
  isOver,
  listBeingClosed,
  notAnnounced,
  notClosable,
  notClosedYet,
  notDrawable,
  notLive,
  notRevealable,
  publishedTooLate,
  roundNotYet,
  tooFewTeams,
  tooManyPlaces,
  unknownSeed,
  wrongBeacon,
} from './tournaments.errors.ts'
import { type TournamentRow, updateTournament } from './tournaments.queries.ts'
import { requireTournament, revealOf } from './tournaments.service.ts'

export const openRegistration = (deps: PlatformDeps, call: UserCall<typeof operatorTournaments.open>) =>
  actOnTournament(deps, call, 'open', async (tx, { id, phase }) => {
    if (phase !== 'announced') throw notAnnounced(phase)
    await updateTournament(tx, id, { opened_at: deps.clock.now() })
    return { before: { phase }, after: { phase: 'registering' } }
  })

type DrawDeps = PlatformDeps & { beacon: Beacon }

export const closeRegistration = (deps: DrawDeps, call: TournamentCall<typeof operatorTournaments.close>) =>
  actOnTournament(deps, call, 'close', async (tx, tournament) => {
    const { phase, draw_round } = tournament
    // Its date may have come, and no job has closed the list yet.
    if (draw_round !== null || (phase !== 'registering' && phase !== 'drawing')) throw notClosable(phase)
    await closeList(tx, tournament, { now: deps.clock.now(), chain: deps.beacon.chain })
    return { before: { phase }, after: { phase: 'drawing' } }
  })

export const seedTeams = (deps: PlatformDeps, call: UserCall<typeof operatorTournaments.seeds>) =>
  actOnTournament(deps, call, 'seeds', async (tx, tournament) => {
    const { id, phase } = tournament
    assertListOpen(tournament)
    if (phase === 'cancelled') throw isOver(phase)
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

export async function drawTournament(
  deps: DrawDeps,
  call: TournamentCall<typeof operatorTournaments.draw>,
): Promise<OperatorTournamentRow> {
  const now = deps.clock.now()
  const fetched = call.body.beacon === undefined ? await fetchSignature(deps, call.params.id) : null
  return actOnTournament(deps, call, 'draw', async (tx, tournament) => {
    const { id, phase, max_round, mode, current_round } = tournament
    if (phase !== 'drawing' || current_round > 0) throw notDrawable(phase)
    const publishAt = call.body.publish_at === undefined ? now : new Date(call.body.publish_at)
    if (publishAt.getTime() > now.getTime() + PUBLISHED_WITHIN_MS) throw publishedTooLate()
    const stored = await findDraw(tx, id)
    if (stored === undefined) throw isListBeingClosed(tournament) ? listBeingClosed() : notClosedYet()
    const signature = signatureOf(stored, { fetched, pasted: call.body.beacon, now })
    const playing = await listAdmitted(tx, id)
    if (playing.length < 2) throw tooFewTeams(playing.length)
    const { seed, lineup } = drawnFrom(stored, { signature, playing })
    if (lineup.length > TEAMS_MAX) throw tooManyPlaces(lineup.length)
    const rounds = roundsNeeded(lineup.length)
    const bracket = newBracket(rounds, firstSides(lineup))
    await insertMatches(
      tx,
      id,
      bracket.map((match) => ({ round: match.round, position: match.position, ...stateOf(match) })),
    )
    await updateSignature(tx, id, signature)
    await updateDrawPositions(tx, id, lineup)
    const after = { max_round: drawnRounds(max_round, lineup.length), current_round: firstRound(rounds) }
    await updateTournament(tx, id, {
      ...after,
      draw_seed: seed,
      drawn_at: now,
      drawn_list: JSON.stringify(stored.list.filter((team) => lineup.includes(team.id))),
      reveal_from: mode === 1 ? publishAt : null,
    })
    const others = await listNotDrawn(tx, allDue, { tournamentId: id, limit: TEAMS_AT_ONCE })
    await withdraw(tx, tournament, others, { reason: 'not-admitted', now })
    // The order of a draw that is not public yet would be read in the audit trail.
    return {
      before: { max_round, current_round: 0 },
      after: { ...after, team_count: playing.length, list_digest: stored.list_digest, round: stored.round },
    }
  })
}

/** The signature of the round that draws this tournament, if it can be had now. */
async function fetchSignature({ beacon, ...deps }: DrawDeps, id: string): Promise<string | null> {
  const stored = await findDraw(deps.db, id)
  if (stored === undefined || stored.chain.hash !== beacon.chain.hash) return null
  if (deps.clock.now() < roundTime(stored.chain, stored.round)) return null
  return beacon.read(stored.round, deps)
}

type Delivered = { fetched: string | null; pasted: string | undefined; now: Date }

/** Whoever delivers it: only what the beacon signed counts. */
function signatureOf({ chain, round }: StoredDraw, { fetched, pasted, now }: Delivered): string {
  const from = roundTime(chain, round)
  if (now < from) throw roundNotYet(from.toISOString())
  if (pasted === undefined) {
    if (fetched === null) throw beaconSilent(round)
    return fetched
  }
  const signature = signatureIn(pasted, { chain, round })
  if (signature === null) throw wrongBeacon(round)
  return signature
}

function drawnFrom(
  { list, list_digest, round }: StoredDraw,
  { signature, playing }: { signature: string; playing: readonly string[] },
): { seed: string; order: string[]; lineup: (string | null)[] } {
  const seed = seedOf(list_digest, round, randomnessOf(signature))
  const order = orderOfPlaces(seed, list)
  return { seed, order, lineup: lineupOf(order, list, new Set(playing)) }
}

export const revealNext = (deps: PlatformDeps, call: TournamentCall<typeof operatorTournaments.revealNext>) =>
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

const NOTHING_DRAWN = {
  closed_at: null,
  commitment: null,
  secret: null,
  beacon: null,
  teams: [],
  order: [],
  lineup: [],
}

export async function readDraw(db: Db, id: string, now: Date): Promise<Draw> {
  const row = await requireTournament(db, id)
  const publicAt = drawPublicAt(revealOf(row))
  const isPublic = publicAt !== null && publicAt <= now
  const stored = await findDraw(db, row.id)
  const teams = await listTeamsOfDraw(db, row.id)
  if (stored !== undefined) return beaconDraw(stored, { row, teams, isPublic, now })
  const old = await findSecretDraw(db, row.id)
  if (old !== undefined) return secretDraw(old, { row, teams, isPublic, now })
  return { algorithm: BEACON_ALGORITHM, tournament_id: row.id, ...NOTHING_DRAWN }
}

type Shown = { row: TournamentRow; teams: readonly TeamOfDraw[]; isPublic: boolean; now: Date }

function beaconDraw(stored: StoredDraw, { row, teams, isPublic, now }: Shown): Draw {
  const { chain, round, signature, list_digest, list, closed_at } = stored
  const byId = new Map(teams.map((team) => [team.id, team]))
  const placed = list.filter(({ has_place }) => has_place).length
  const lineup = row.drawn_at === null ? [] : placesOfTeams(teams, placed)
  const shownTeams = new Set(
    lineup.filter((team) => team !== null).slice(0, isPublic ? undefined : revealedTeams(revealOf(row), now)),
  )
  const shown = isPublic ? lineup : lineup.filter((team) => team !== null && shownTeams.has(team))
  const isSigned = isPublic && signature !== null
  return {
    algorithm: BEACON_ALGORITHM,
    tournament_id: row.id,
    closed_at: closed_at.toISOString(),
    commitment: list_digest,
    secret: null,
    beacon: {
      chain,
      round,
      signature: isSigned ? signature : null,
      randomness: isSigned ? randomnessOf(signature) : null,
    },
    teams: list.map((listed) => {
      const team = byId.get(listed.id)
      // What was erased cannot be checked any more.
      const isAsListed = team !== undefined && teamDigest(team) === listed.digest
      const { name, members } = isAsListed ? team : { name: null, members: null }
      return { ...listed, name, members }
    }),
    order: isSigned
      ? orderOfPlaces(seedOf(list_digest, round, randomnessOf(signature)), list)
      : shown.filter((team) => team !== null),
    lineup: shown,
  }
}

/** Who stands at each place of the drawn order, as it is stored. */
function placesOfTeams(teams: readonly TeamOfDraw[], places: number): (string | null)[] {
  const at = new Map(teams.map((team) => [team.draw_position, team.id]))
  return Array.from({ length: places }, (_, index) => at.get(index + 1) ?? null)
}

function secretDraw(
  { commitment, secret, list }: NonNullable<Awaited<ReturnType<typeof findSecretDraw>>>,
  { row, teams, isPublic, now }: Shown,
): Draw {
  const names = new Map(teams.map(({ id, name }) => [id, name]))
  const order = placesOfTeams(teams, list.length).filter((team) => team !== null)
  const shown = isPublic ? order : order.slice(0, revealedTeams(revealOf(row), now))
  return {
    algorithm: SECRET_ALGORITHM,
    tournament_id: row.id,
    closed_at: null,
    commitment,
    secret: isPublic ? secret : null,
    beacon: null,
    teams: list.map(({ id, digest, seed }) => {
      const name = names.get(id)
      // A name that was changed or erased after the draw cannot be checked any more.
      const isAsListed = name !== undefined && nameDigest({ id, name }) === digest
      return { id, digest, seed, name: isAsListed ? name : null, members: null, has_place: true }
    }),
    order: shown,
    lineup: shown,
  }
}

/** What the audit trail has about a draw. */
export async function readRecordedDraw(db: Db, id: string): Promise<RecordedDraw> {
  const { closed_at } = await requireTournament(db, id)
  const subject = { type: 'tournament', id }
  return {
    created: await firstActOf(db, subject, 'tournaments.create'),
    frozen: await firstActOf(db, subject, 'tournaments.freeze'),
    drawn: await firstActOf(db, subject, 'tournaments.draw'),
    closedAt: closed_at,
  }
}
