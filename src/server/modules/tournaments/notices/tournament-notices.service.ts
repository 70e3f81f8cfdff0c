import type { OperatorTournamentRow } from '#contract/operator/tournaments.ts'
import { drawnMaxRound, roundName } from '#contract/tournament-rules.ts'
import type { Tournament } from '#contract/tournaments.ts'
import { addNotice, addNotices } from '#server/modules/notices/index.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { MatchState } from '../matches.queries.ts'
import { listMatchRows, type MatchRow } from '../matches.queries.ts'
import type { TeamRow } from '../registration.queries.ts'
import { listPlayersOf } from './tournament-notices.queries.ts'

// What players are told of a tournament: in the transaction of what happened, which holds the tournament's lock.

export type Cup = Pick<Tournament, 'id' | 'name'>

const cupOf = ({ id, name }: Cup) => ({ tournamentId: id, tournament: name })
const ofTeam = (cup: Cup, teamId: string) => ({ ...cupOf(cup), teamId })

/** The players of these teams. */
async function playersOf(tx: Tx, teamIds: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
  const players = Map.groupBy(await listPlayersOf(tx, teamIds), ({ teamId }) => teamId)
  return new Map([...players].map(([teamId, some]) => [teamId, some.map(({ userId }) => userId)]))
}

type Invited = { team: { id: string; held_until: Date | null }; userIds: readonly string[] }

/** Once for each team, so that a captain who asks again and again does not ring the bell each time. */
export const notifyInvited = (tx: Tx, cup: Cup, { team, userIds }: Invited): Promise<void> =>
  addNotice(tx, userIds, {
    event: 'team-invited',
    subject: team.id,
    data: { ...ofTeam(cup, team.id), until: team.held_until?.toISOString() ?? null },
  })

export async function notifyPlace(
  tx: Tx,
  cup: Cup,
  { teams, until }: { teams: readonly TeamRow[]; until: Date },
): Promise<void> {
  await addNotices(
    tx,
    teams.map(({ id, captain_id }) => ({
      recipients: captain_id === null ? [] : [captain_id],
      event: 'team-got-place',
      subject: id,
      data: { ...ofTeam(cup, id), until: until.toISOString() },
    })),
  )
}

/** A team may come in several times, when a member has left meanwhile. */
export async function notifyAdmitted(
  tx: Tx,
  cup: Cup,
  { teamIds, now }: { teamIds: readonly string[]; now: Date },
): Promise<void> {
  await addNotices(
    tx,
    [...(await playersOf(tx, teamIds))].map(([teamId, recipients]) => ({
      recipients,
      event: 'team-admitted',
      subject: `${teamId} ${now.toISOString()}`,
      data: ofTeam(cup, teamId),
    })),
  )
}

export async function notifyIncomplete(
  tx: Tx,
  cup: Cup,
  { team, until, now }: { team: TeamRow; until: Date; now: Date },
): Promise<void> {
  if (team.captain_id === null) return
  await addNotice(tx, team.captain_id, {
    event: 'team-incomplete',
    subject: `${team.id} ${now.toISOString()}`,
    data: { ...ofTeam(cup, team.id), until: until.toISOString() },
  })
}

type Out = {
  teamIds: readonly string[]
  reason: Exclude<TeamRow['withdrawn_for'], null | 'cancelled'>
  by: string | null
}

/** Before its members are free for other teams. Whoever has done it themselves knows. */
export async function notifyOut(tx: Tx, cup: Cup, { teamIds, reason, by }: Out): Promise<void> {
  await addNotices(
    tx,
    [...(await playersOf(tx, teamIds))].map(([teamId, players]) => ({
      recipients: players.filter((userId) => userId !== by),
      event: 'team-out',
      subject: teamId,
      data: { ...ofTeam(cup, teamId), reason },
    })),
  )
}

type Charge = { id: string; team_id: string; user_id: string; luong: string }

/** Who pays, and the captain, whose team waits for it. */
export async function notifyRefusedFee(
  tx: Tx,
  cup: Cup,
  { charge, reason, captainId }: { charge: Charge; reason: string; captainId: string | null },
): Promise<void> {
  const recipients = [...new Set([charge.user_id, captainId ?? charge.user_id])]
  await addNotice(tx, recipients, {
    event: 'fee-refused',
    subject: charge.id,
    data: { ...ofTeam(cup, charge.team_id), luong: Number(charge.luong), reason },
  })
}

export async function notifyReturnedFee(tx: Tx, cup: Cup, charge: Charge): Promise<void> {
  await addNotice(tx, charge.user_id, {
    event: 'fee-returned',
    subject: charge.id,
    data: { ...cupOf(cup), luong: Number(charge.luong) },
  })
}

export async function notifyCancelled(
  tx: Tx,
  cup: Cup & Pick<Tournament, 'fee'>,
  teamIds: readonly string[],
): Promise<void> {
  const players = await listPlayersOf(tx, teamIds)
  const userIds = players.map(({ userId }) => userId)
  await addNotice(tx, userIds, {
    event: 'tournament-cancelled',
    subject: cup.id,
    data: { ...cupOf(cup), hasFee: cup.fee > 0 },
  })
}

export async function notifyChampion(tx: Tx, cup: Cup, teamId: string): Promise<void> {
  const players = await listPlayersOf(tx, [teamId])
  const userIds = players.map(({ userId }) => userId)
  await addNotice(tx, userIds, {
    event: 'tournament-won',
    subject: teamId,
    data: ofTeam(cup, teamId),
  })
}

/** A match before an act, and after it. */
type Changed = { before: { id: string } & MatchState; after: MatchRow }

/** Two teams have met, or should have, and it is known how it ended. */
const isPlayed = ({ team1_id, team2_id, winning_team_id, is_void }: MatchState): boolean =>
  team1_id !== null && team2_id !== null && (winning_team_id !== null || is_void)

const outcomeOf = ({
  team1_id,
  team2_id,
  team1_win_count,
  team2_win_count,
  winning_team_id,
  absent_side,
}: MatchState) =>
  [team1_id, team2_id, team1_win_count, team2_win_count, winning_team_id, absent_side].join(' ')

type Act = {
  /** Of the event that spectators are sent: what is told of an act is told once. */
  number: number
  kind: string
  before: readonly ({ id: string } & MatchState)[]
}

/** The teams of matches that were called, decided, or are not decided any more. */
export async function notifyOfMatches(
  tx: Tx,
  tournament: OperatorTournamentRow,
  { number, kind, before }: Act,
): Promise<void> {
  if (before.length === 0) return
  const rows = await listMatchRows(tx, tournament.id)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const changed = before.flatMap((match): Changed[] => {
    const after = byId.get(match.id)
    return after === undefined ? [] : [{ before: match, after }]
  })
  const teamIds = changed.flatMap(({ before: one, after }) => [...sidesOf(one), ...sidesOf(after)])
  const players = await playersOf(tx, [...new Set(teamIds)])
  const maxRound = drawnMaxRound(tournament.max_round, rows)
  await addNotices(
    tx,
    changed.flatMap((match) =>
      noticesOf(match, kind).map(({ teamId, event }) => {
        const round = roundName(match.after.round, maxRound)
        const data = { ...ofTeam(tournament, teamId), round }
        const told = {
          recipients: players.get(teamId) ?? [],
          subject: `${tournament.id} ${number} ${match.after.id}`,
        }
        return event === 'match-result'
          ? { ...told, event, data: { ...data, ...resultOf(match.after, teamId) } }
          : { ...told, event, data }
      }),
    ),
  )
}

const sidesOf = ({ team1_id, team2_id }: MatchState): string[] =>
  [team1_id, team2_id].filter((id) => id !== null)

function noticesOf(
  { before, after }: Changed,
  kind: string,
): { teamId: string; event: 'match-called' | 'match-result' | 'match-undone' }[] {
  const toEach = (match: MatchState, event: 'match-called' | 'match-result' | 'match-undone') =>
    sidesOf(match).map((teamId) => ({ teamId, event }))
  if (kind === 'call') return toEach(after, 'match-called')
  if (isPlayed(after) && (!isPlayed(before) || outcomeOf(before) !== outcomeOf(after)))
    return toEach(after, 'match-result')
  return isPlayed(before) && !isPlayed(after) ? toEach(before, 'match-undone') : []
}

function resultOf({ team1_id, team1_win_count, team2_win_count, ...match }: MatchRow, teamId: string) {
  const isFirst = team1_id === teamId
  const isAbsent = match.absent_side === (isFirst ? 1 : 2)
  const outcome = match.is_void ? 'void' : match.winning_team_id === teamId ? 'won' : 'lost'
  return {
    games: isFirst
      ? ([team1_win_count, team2_win_count] as const)
      : ([team2_win_count, team1_win_count] as const),
    outcome,
    absent: match.is_void || isAbsent ? 'own' : match.absent_side === null ? null : 'other',
  } as const
}
