import { checkInOpensAt, isListBeingClosed, maxTeams, teamSize } from '#contract/tournament-rules.ts'
import { TEAMS_MAX } from '#contract/operator/tournaments.ts'
import type { OwnTeam } from '#contract/tournament-teams.ts'
import type { Tournament } from '#contract/tournaments.ts'
import { contentChanges } from '#server/domain/content.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { workOff } from '#server/platform/queues/due-rows.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { orNotFound } from '#server/platform/values/errors.ts'
import {
  insertCharges,
  listCharges,
  listChargesOf,
  type NewCharge,
  refundCharges,
} from './charges.queries.ts'
import { recordEvent } from './events.service.ts'
import {
  countTeams,
  deleteMembersOf,
  findTeamRow,
  findTournamentOf,
  listExpired,
  listFirstWaiting,
  listMembersOf,
  listTeamRows,
  type MemberRow,
  type TeamRow,
  updateTeam,
  updateTeams,
} from './registration.queries.ts'
import { SLACK_SECONDS } from '#server/platform/values/moments.rules.ts'
import { sharesOf } from './registration.rules.ts'
import {
  type Cup,
  notifyAdmitted,
  notifyIncomplete,
  notifyOut,
  notifyPlace,
} from './notices/tournament-notices.service.ts'
import { findTournament, lockTournament } from './tournaments.queries.ts'
import { toRules } from './tournaments.service.ts'

/** How long a place waits for the members and the fee of its team. */
const HELD_MS = 24 * 3_600_000
/** The same for a team that comes in when registration has closed: its members are complete, only the fee is missing. */
const HELD_LATE_MS = 10 * 60_000

export function heldUntil({ competition_start_at }: Tournament, now: Date): Date {
  const close = Date.parse(competition_start_at)
  const end = Math.min(now.getTime() + HELD_MS, close)
  return new Date(Math.max(end, now.getTime() + HELD_LATE_MS))
}

/** How many teams go out, move up or are told in one transaction, which holds the lock of their tournament. */
export const TEAMS_AT_ONCE = 200

/** Changes teams of one tournament under its lock; spectators are told. Throws NOT_FOUND. */
export async function changeTeams<Result>(
  tx: Tx,
  tournamentId: string,
  work: (tournament: Tournament) => Promise<Result>,
): Promise<Result> {
  const locked = orNotFound(await lockTournament(tx, tournamentId))
  const before = toRules(locked)
  const result = await work(before)
  const changed = await findTournament(tx, tournamentId)
  const after = changed === undefined ? before : toRules(changed)
  await recordEvent(
    tx,
    { id: tournamentId, kind: 'teams', operatorId: null },
    { before, after, changed: [], areTeamsChanged: true },
  )
  await contentChanges(tx, 'tournaments')
  return result
}

/** How many teams fit in a tournament at most: without a limit of its own as many as the largest bracket has places. */
export const mostTeams = ({ max_round }: Pick<Tournament, 'max_round'>): number =>
  maxTeams(max_round) ?? TEAMS_MAX

/** How many places nobody has, those that the teams on the waiting list move up to not among them; and how many teams wait. */
export async function placesFor(
  tx: Tx,
  tournament: Pick<Tournament, 'id' | 'max_round'>,
): Promise<{ left: number; waitingTeams: number }> {
  const { placed, waiting } = await countTeams(tx, tournament.id)
  return { left: Math.max(0, mostTeams(tournament) - placed - waiting), waitingTeams: waiting }
}

export const settleTeam = async (
  tx: Tx,
  tournament: Tournament,
  teamId: string,
  now: Date,
): Promise<void> => {
  await settleTeams(tx, tournament, [teamId], now)
}

/**
 * Admits those of these teams that have a place, once their members are complete and the fee is taken; before, they hold their
 * places. Takes the fee when the members are complete. Answers which are admitted.
 */
export async function settleTeams(
  tx: Tx,
  tournament: Tournament,
  teamIds: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  // What is cancelled or drawn admits nobody: a fee that the game took meanwhile is given back.
  if (tournament.cancelled_at !== null || tournament.current_round > 0) return new Set()
  const teams = (await listTeamRows(tx, { tournamentId: tournament.id, teamIds })).filter(
    ({ captain_id, state }) => captain_id !== null && (state === 'held' || state === 'admitted'),
  )
  const isIn = await listComplete(tx, tournament, teams)
  const entering = teams.filter(({ id, state }) => isIn.has(id) && state === 'held').map(({ id }) => id)
  if (entering.length > 0) {
    await updateTeams(tx, entering, { state: 'admitted', held_until: null })
    await notifyAdmitted(tx, tournament, { teamIds: entering, now })
  }
  for (const team of teams.filter(({ id, state }) => !isIn.has(id) && state === 'admitted')) {
    const until = heldUntil(tournament, now)
    await updateTeam(tx, team.id, { state: 'held', held_until: until })
    await notifyIncomplete(tx, tournament, { team, until, now })
  }
  return isIn
}

type Payers = { team: TeamRow; players: readonly MemberRow[] }

/** These teams with those who play, in their order. */
async function listPayers(tx: Tx, teams: readonly TeamRow[]): Promise<Payers[]> {
  const members = await listMembersOf(
    tx,
    teams.map(({ id }) => id),
  )
  const players = Map.groupBy(
    members.filter(({ is_substitute }) => !is_substitute),
    ({ team_id }) => team_id,
  )
  return teams.map((team) => ({ team, players: players.get(team.id) ?? [] }))
}

/** The teams whose members are all there and have paid; asks for the shares that nobody has asked for yet. */
async function listComplete(
  tx: Tx,
  tournament: Tournament,
  teams: readonly TeamRow[],
): Promise<ReadonlySet<string>> {
  const size = teamSize(tournament.type)
  const whole = (await listPayers(tx, teams)).filter(({ players }) => players.length >= size)
  const teamIds = whole.map(({ team }) => team.id)
  const states = new Map(
    (await listChargesOf(tx, teamIds)).map((one) => [`${one.team_id} ${one.user_id}`, one.state]),
  )
  const shares = whole.flatMap((payers) => feeOf(tournament, payers))
  const unpaid = shares.filter(({ payer }) => states.get(payer) !== 'applied')
  // One that is running is waited for, and a refused one is asked for again when the player wants it.
  const unasked = unpaid.filter(({ payer }) => !['pending', 'refused'].includes(states.get(payer) ?? ''))
  await insertCharges(
    tx,
    unasked.flatMap(({ charge }) => charge ?? []),
  )
  const late = new Set(unpaid.map(({ teamId }) => teamId))
  return new Set(teamIds.filter((id) => !late.has(id)))
}

/** The shares of a team’s fee, and what is charged for them: nothing where the payer does not play any more. */
function feeOf(
  tournament: Tournament,
  { team, players }: Payers,
): { teamId: string; userId: string; payer: string; charge: NewCharge | null }[] {
  const playing = new Map(players.map((player) => [player.user_id, player]))
  const shares = sharesOf(tournament, { captainId: team.captain_id, players: [...playing.keys()] })
  return shares.map(({ userId, luong }) => {
    const player = playing.get(userId)
    const charge = player && {
      tournamentId: tournament.id,
      teamId: team.id,
      userId,
      serverId: player.server_id,
      account: player.account,
      characterId: player.character_id,
      luong,
    }
    return { teamId: team.id, userId, payer: `${team.id} ${userId}`, charge: charge ?? null }
  })
}

/** Asks again for what the game has refused. */
export async function chargeAgain(tx: Tx, tournament: Tournament, team: TeamRow): Promise<void> {
  const refused = new Set(
    (await listCharges(tx, team.id)).filter(({ state }) => state === 'refused').map((one) => one.user_id),
  )
  const shares = (await listPayers(tx, [team])).flatMap((payers) => feeOf(tournament, payers))
  await insertCharges(
    tx,
    shares.flatMap(({ userId, charge }) => (refused.has(userId) && charge !== null ? charge : [])),
  )
}

type Out = {
  reason: Exclude<OwnTeam['withdrawn_for'], null | 'cancelled'>
  now: Date
  /** The player who wants it so. */
  by?: string
}

/** Teams go out that are not drawn: their fee is given back, and before the close their players are free for another team. */
export async function withdraw(
  tx: Tx,
  tournament: Cup & Pick<Tournament, 'draw_round'>,
  teamIds: readonly string[],
  { reason, now, by }: Out,
): Promise<void> {
  if (teamIds.length === 0) return
  await notifyOut(tx, tournament, { teamIds, reason, by: by ?? null })
  await updateTeams(tx, teamIds, {
    state: 'withdrawn',
    held_until: null,
    withdrawn_for: reason,
    withdrawn_at: now,
  })
  await refundCharges(tx, { teamIds, reason })
  // A closed list has its members for good; there is no other team to play for any more.
  if (tournament.draw_round === null) await deleteMembersOf(tx, teamIds)
}

/** Whether only teams that have checked in play: registration has closed, and check-in was open before. */
export function isCheckInAsked(tournament: Tournament): boolean {
  const opens = checkInOpensAt(tournament)
  return opens !== null && tournament.closed_at !== null && new Date(tournament.closed_at) >= opens
}

/** No more teams than this ever wait. */
export const WAITING_MAX = 1_000

/** Gives free places to the teams that have waited longest; once registration has closed, of those that have checked in. */
export async function promoteWaiting(tx: Tx, tournament: Tournament, now: Date): Promise<void> {
  // Places that come free while the list is being closed are given when it is known who is out.
  if (isListBeingClosed(tournament)) return
  await moveUp(tx, tournament, { now, limit: WAITING_MAX })
}

/** The same for so many teams at most, and of a list that is being closed. Answers how many moved up. */
export async function moveUp(
  tx: Tx,
  tournament: Tournament,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const left = mostTeams(tournament) - (await countTeams(tx, tournament.id)).placed
  if (left <= 0) return 0
  const next = await listFirstWaiting(tx, tournament.id, {
    checkedIn: isCheckInAsked(tournament),
    limit: Math.min(left, limit),
  })
  if (next.length === 0) return 0
  const teamIds = next.map(({ id }) => id)
  const until = heldUntil(tournament, now)
  await updateTeams(tx, teamIds, { state: 'held', held_until: until })
  const isIn = await settleTeams(tx, tournament, teamIds, now)
  await notifyPlace(tx, tournament, { teams: next.filter(({ id }) => !isIn.has(id)), until })
  return next.length
}

const EXPIRED_AT_ONCE = 100

/** Places that were held long enough are given to others. Answers whether there may be more. */
export async function expireHeld(deps: Pick<PlatformDeps, 'db' | 'clock' | 'log'>): Promise<boolean> {
  const { db, clock } = deps
  const now = clock.now()
  const latest = new Date(now.getTime() + HELD_MS + SLACK_SECONDS * 1_000)
  return workOff(deps, {
    job: 'tournament places',
    limit: EXPIRED_AT_ONCE,
    list: listExpired({ now, latest }),
    async work(teamId) {
      const tournamentId = await findTournamentOf(db, teamId)
      if (tournamentId === undefined) return false
      return inTransaction(db, (tx) =>
        changeTeams(tx, tournamentId, async (tournament) => {
          const team = await findTeamRow(tx, { tournamentId, teamId })
          if (team?.state !== 'held' || team.held_until === null) return false
          if (tournament.current_round > 0 || tournament.cancelled_at !== null) return false
          // A clock that was ahead wrote it: nobody waits for a place for longer than a day.
          if (team.held_until > latest) {
            await updateTeam(tx, teamId, { held_until: heldUntil(tournament, now) })
            return true
          }
          if (team.held_until > now) return false
          await withdraw(tx, tournament, [teamId], { reason: 'expired', now })
          await promoteWaiting(tx, tournament, now)
          return true
        }),
      )
    },
  })
}
