import { checkInOpensAt, maxTeams, teamSize } from '#contract/tournament-rules.ts'
import type { OwnTeam } from '#contract/tournament-teams.ts'
import type { Tournament } from '#contract/tournaments.ts'
import { contentChanges } from '#server/domain/content.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { workOff } from '#server/platform/queues/due-rows.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { orNotFound } from '#server/platform/values/errors.ts'
import { insertCharge, listCharges, refundCharges } from './charges.queries.ts'
import { recordEvent } from './events.service.ts'
import {
  countPlaced,
  deleteMembersOf,
  findFirstWaiting,
  findTeamRow,
  findTournamentOf,
  listExpired,
  listMembers,
  listTeamRows,
  type MemberRow,
  type TeamRow,
  updateTeam,
} from './registration.queries.ts'
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

/** How many teams may still have a place; null: any number. */
export async function placesLeftIn(tx: Tx, { id, max_round }: Tournament): Promise<number | null> {
  const most = maxTeams(max_round)
  return most === null ? null : most - (await countPlaced(tx, id))
}

/**
 * Admits a team with a place once its members are complete and the fee is taken; before, it holds its place. Takes the fee
 * when the members are complete. Answers whether it is admitted.
 */
export async function settleTeam(
  tx: Tx,
  tournament: Tournament,
  teamId: string,
  now: Date,
): Promise<boolean> {
  const team = await findTeamRow(tx, { tournamentId: tournament.id, teamId })
  if (team === undefined || team.captain_id === null) return false
  if (team.state !== 'held' && team.state !== 'admitted') return false
  const isIn = await isComplete(tx, tournament, team)
  if (isIn && team.state === 'held') {
    await updateTeam(tx, teamId, { state: 'admitted', held_until: null })
    await notifyAdmitted(tx, tournament, { teamId, now })
  }
  if (!isIn && team.state === 'admitted') {
    const until = heldUntil(tournament, now)
    await updateTeam(tx, teamId, { state: 'held', held_until: until })
    await notifyIncomplete(tx, tournament, { team, until, now })
  }
  return isIn
}

const listPlayers = async (tx: Tx, team: TeamRow): Promise<MemberRow[]> =>
  (await listMembers(tx, team.id)).filter((member) => !member.is_substitute)

/** Whether all members are there and have paid; asks for the fee when they are. */
async function isComplete(tx: Tx, tournament: Tournament, team: TeamRow): Promise<boolean> {
  const players = await listPlayers(tx, team)
  if (players.length < teamSize(tournament.type)) return false
  return isFeePaid(tx, tournament, { team, players })
}

type Payers = { team: TeamRow; players: readonly MemberRow[] }

const feeOf = (tournament: Tournament, { team, players }: Payers) =>
  sharesOf(tournament, { captainId: team.captain_id, players: players.map((one) => one.user_id) })

/** Whether every share is taken; a share that nobody has asked for yet is asked for. */
async function isFeePaid(tx: Tx, tournament: Tournament, { team, players }: Payers): Promise<boolean> {
  const charges = new Map((await listCharges(tx, team.id)).map((charge) => [charge.user_id, charge]))
  let isPaid = true
  for (const { userId, luong } of feeOf(tournament, { team, players })) {
    const state = charges.get(userId)?.state
    if (state === 'applied') continue
    isPaid = false
    // A refused one is asked for again when the player wants it.
    if (state === 'pending' || state === 'refused') continue
    await charge(tx, tournament, { team, players }, { userId, luong })
  }
  return isPaid
}

async function charge(
  tx: Tx,
  tournament: Tournament,
  { team, players }: Payers,
  { userId, luong }: { userId: string; luong: number },
): Promise<void> {
  const payer = players.find((player) => player.user_id === userId)
  if (payer === undefined) return
  await insertCharge(tx, {
    tournamentId: tournament.id,
    teamId: team.id,
    userId,
    serverId: payer.server_id,
    account: payer.account,
    characterId: payer.character_id,
    luong,
  })
}

/** Asks again for what the game has refused. */
export async function chargeAgain(tx: Tx, tournament: Tournament, team: TeamRow): Promise<void> {
  const payers = { team, players: await listPlayers(tx, team) }
  const refused = new Set(
    (await listCharges(tx, team.id)).filter(({ state }) => state === 'refused').map((one) => one.user_id),
  )
  for (const share of feeOf(tournament, payers)) {
    if (refused.has(share.userId)) await charge(tx, tournament, payers, share)
  }
}

type Out = {
  reason: Exclude<OwnTeam['withdrawn_for'], null | 'cancelled'>
  now: Date
  /** The player who wants it so. */
  by?: string
}

/** A team goes out before the draw: its fee is given back, and before the close its players are free for another team. */
export async function withdraw(
  tx: Tx,
  tournament: Cup & Pick<Tournament, 'draw_round'>,
  team: Pick<TeamRow, 'id'>,
  { reason, now, by }: Out,
): Promise<void> {
  await notifyOut(tx, tournament, { teamId: team.id, reason, by: by ?? null })
  await updateTeam(tx, team.id, {
    state: 'withdrawn',
    held_until: null,
    withdrawn_for: reason,
    withdrawn_at: now,
  })
  await refundCharges(tx, { teamId: team.id, reason })
  // A closed list has its members for good; there is no other team to play for any more.
  if (tournament.draw_round === null) await deleteMembersOf(tx, team.id)
}

/** Whether only teams that have checked in play: registration has closed, and check-in was open before. */
export function isCheckInAsked(tournament: Tournament): boolean {
  const opens = checkInOpensAt(tournament)
  return opens !== null && tournament.closed_at !== null && new Date(tournament.closed_at) >= opens
}

/** Gives free places to the teams that have waited longest; once registration has closed, of those that have checked in. */
export async function promoteWaiting(tx: Tx, tournament: Tournament, now: Date): Promise<void> {
  if (tournament.cancelled_at !== null) return
  const checkedIn = isCheckInAsked(tournament)
  for (;;) {
    const left = await placesLeftIn(tx, tournament)
    if (left !== null && left <= 0) return
    const next = await findFirstWaiting(tx, tournament.id, { checkedIn })
    if (next === undefined) return
    const until = heldUntil(tournament, now)
    await updateTeam(tx, next.id, { state: 'held', held_until: until })
    const isIn = await settleTeam(tx, tournament, next.id, now)
    if (!isIn) await notifyPlace(tx, tournament, { team: next, until })
  }
}

/** At the draw: whoever is not admitted is out. */
export async function dismissOthers(
  tx: Tx,
  tournament: Cup & Pick<Tournament, 'draw_round'>,
  now: Date,
): Promise<void> {
  for (const team of await listTeamRows(tx, tournament.id, ['held', 'waiting'])) {
    await withdraw(tx, tournament, team, { reason: 'not-admitted', now })
  }
}

/** Of a tournament that is cancelled: every fee is given back. */
export async function refundAll(tx: Tx, tournamentId: string): Promise<void> {
  for (const team of await listTeamRows(tx, tournamentId, ['held', 'waiting', 'admitted'])) {
    await refundCharges(tx, { teamId: team.id, reason: 'cancelled' })
  }
}

const EXPIRED_AT_ONCE = 100

/** Places that were held long enough are given to others. Answers whether there may be more. */
export async function expireHeld(deps: Pick<PlatformDeps, 'db' | 'clock' | 'log'>): Promise<boolean> {
  const { db, clock } = deps
  const now = clock.now()
  return workOff(deps, {
    job: 'tournament places',
    limit: EXPIRED_AT_ONCE,
    list: (from, isResting) => listExpired(from, isResting, { now, limit: EXPIRED_AT_ONCE }),
    async work(teamId) {
      const tournamentId = await findTournamentOf(db, teamId)
      if (tournamentId === undefined) return false
      return inTransaction(db, (tx) =>
        changeTeams(tx, tournamentId, async (tournament) => {
          const team = await findTeamRow(tx, { tournamentId, teamId })
          const isStillHeld = team?.state === 'held' && team.held_until !== null && team.held_until <= now
          if (!isStillHeld || tournament.current_round > 0 || tournament.cancelled_at !== null) return false
          await withdraw(tx, tournament, team, { reason: 'expired', now })
          await promoteWaiting(tx, tournament, now)
          return true
        }),
      )
    },
  })
}
