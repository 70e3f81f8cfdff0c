import { checkInOpensAt, TEAMS_PAGE } from '#contract/tournament-rules.ts'
import type { OwnTeam, PublicTeam, TeamInvitation } from '#contract/tournament-teams.ts'
import type { Tournament } from '#contract/tournaments.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { listCharges } from './charges.queries.ts'
import {
  findTeamOf,
  findTeamRow,
  findWaitingPosition,
  listInvitationsOf,
  listMembers,
  listPublicTeams,
  listTeamInvitations,
  type TeamRow,
} from './registration.queries.ts'
import { requireTournament, toRules } from './tournaments.service.ts'

type Reader = { teamId: string; userId: string }

/** A team as its members see it. */
export async function readTeam(
  db: Db | Tx,
  tournament: Tournament,
  { teamId, userId }: Reader,
): Promise<OwnTeam> {
  const team = await findTeamRow(db, { tournamentId: tournament.id, teamId })
  invariant(team, 'a team is never deleted while its tournament is locked')
  return toOwnTeam(db, tournament, { team, userId })
}

async function toOwnTeam(
  db: Db | Tx,
  tournament: Tournament,
  { team, userId }: { team: TeamRow; userId: string },
): Promise<OwnTeam> {
  const members = await listMembers(db, team.id)
  const invitations = await listTeamInvitations(db, team.id)
  const open = invitations.filter(({ state }) => state !== 'accepted')
  return {
    id: team.id,
    name: team.name,
    state: team.state,
    position: await findWaitingPosition(db, team),
    held_until: team.held_until?.toISOString() ?? null,
    checked_in_at: team.checked_in_at?.toISOString() ?? null,
    ...toDo(tournament, team),
    withdrawn_for: team.withdrawn_for,
    is_captain: team.captain_id === userId,
    fee: tournament.fee,
    members: [
      ...members.map(({ user_id, username, character_name, is_substitute }) => ({
        username,
        character_name,
        state: 'accepted' as const,
        is_captain: user_id === team.captain_id,
        is_substitute,
      })),
      ...open.map(({ username, state }) => ({
        username,
        character_name: null,
        state,
        is_captain: false,
        is_substitute: false,
      })),
    ],
    charges: (await listCharges(db, team.id)).map(({ username, luong, state, reason }) => ({
      username,
      luong: Number(luong),
      // Of a cancelled tournament every fee is on its way back, also before its turn has come.
      state: tournament.cancelled_at !== null && isKept(state) ? 'refunding' : state,
      reason,
    })),
  }
}

const isKept = (state: OwnTeam['charges'][number]['state']) => state === 'pending' || state === 'applied'

/** What a team has to do to play. Nothing more once it is out, or the list is closed. */
function toDo(tournament: Tournament, team: TeamRow): Pick<OwnTeam, 'moves_up' | 'check_in'> {
  const from = checkInOpensAt(tournament)
  const isOver = tournament.cancelled_at !== null || tournament.current_round > 0
  if (isOver || team.state === 'withdrawn') return { moves_up: null, check_in: null }
  const isMissing = from !== null && team.checked_in_at === null && tournament.closed_at === null
  return {
    moves_up: team.state !== 'waiting' ? null : isMissing ? 'if-checked-in' : 'by-itself',
    check_in: isMissing ? { from: from.toISOString(), by: tournament.competition_start_at } : null,
  }
}

export async function readOwnTeam(db: Db, id: string, userId: string): Promise<OwnTeam | null> {
  const tournament = toRules(await requireTournament(db, id))
  const team = await findTeamOf(db, { tournamentId: tournament.id, userId })
  return team === undefined ? null : toOwnTeam(db, tournament, { team, userId })
}

export async function readInvitations(db: Db, userId: string, now: Date): Promise<TeamInvitation[]> {
  const rows = await listInvitationsOf(db, userId, now)
  return rows.map((row) => ({ ...row, until: row.until?.toISOString() ?? null }))
}

export async function readTeams(db: Db, id: string, after = '0'): Promise<PublicTeam[]> {
  const { id: tournamentId } = await requireTournament(db, id)
  return listPublicTeams(db, { tournamentId, after, limit: TEAMS_PAGE })
}
