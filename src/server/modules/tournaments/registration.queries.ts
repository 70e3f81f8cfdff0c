import { sql } from 'kysely'
import type { OwnTeam, PublicTeam, TeamInvitation } from '#contract/tournament-teams.ts'
import { skeletonOf } from '#server/domain/name-skeleton.rules.ts'
import { type ListDue, listDueOf } from '#server/platform/queues/due-rows.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

export type TeamRow = {
  id: string
  tournament_id: string
  name: string
  state: OwnTeam['state']
  captain_id: string | null
  held_until: Date | null
  checked_in_at: Date | null
  withdrawn_for: OwnTeam['withdrawn_for']
}

const columns = sql`t.id, t.tournament_id, t.name, t.state, t.captain_id, t.held_until, t.checked_in_at, t.withdrawn_for`

export async function findTeamRow(
  db: Db | Tx,
  { tournamentId, teamId }: { tournamentId: string; teamId: string },
): Promise<TeamRow | undefined> {
  const { rows } = await sql<TeamRow>`
    SELECT ${columns} FROM teams t
     WHERE t.tournament_id = ${tournamentId}::bigint AND t.id = ${teamId}::bigint`.execute(db)
  return rows[0]
}

export async function listTeamRows(
  tx: Tx,
  { tournamentId, teamIds }: { tournamentId: string; teamIds: readonly string[] },
): Promise<TeamRow[]> {
  const { rows } = await sql<TeamRow>`
    SELECT ${columns} FROM teams t
     WHERE t.tournament_id = ${tournamentId}::bigint AND t.id = ANY(${[...teamIds]}::bigint[]) ORDER BY t.id`.execute(
    tx,
  )
  return rows
}

/** The team that a player plays for, was invited to and has accepted, or led last. */
export async function findTeamOf(
  db: Db | Tx,
  { tournamentId, userId }: { tournamentId: string; userId: string },
): Promise<TeamRow | undefined> {
  const { rows } = await sql<TeamRow>`
    SELECT ${columns} FROM teams t
     WHERE t.tournament_id = ${tournamentId}::bigint AND (
       t.id IN (SELECT team_id FROM team_members
                 WHERE tournament_id = ${tournamentId}::bigint AND user_id = ${userId}::bigint)
       OR t.captain_id = ${userId}::bigint)
     ORDER BY t.state = 'withdrawn', t.id DESC LIMIT 1`.execute(db)
  return rows[0]
}

/** Teams with a place, held ones included, and those that wait for one. */
export async function countTeams(tx: Tx, tournamentId: string): Promise<{ placed: number; waiting: number }> {
  const { rows } = await sql<{ placed: number; waiting: number }>`
    SELECT count(*) FILTER (WHERE state <> 'waiting')::integer AS placed,
           count(*) FILTER (WHERE state = 'waiting')::integer AS waiting
      FROM teams WHERE tournament_id = ${tournamentId}::bigint AND state IN ('held', 'admitted', 'waiting')`.execute(
    tx,
  )
  return rows[0] ?? { placed: 0, waiting: 0 }
}

/** From 1, among those who wait. */
export async function findWaitingPosition(db: Db | Tx, team: TeamRow): Promise<number | null> {
  if (team.state !== 'waiting') return null
  const { rows } = await sql<{ position: string }>`
    SELECT count(*) AS position FROM teams
     WHERE tournament_id = ${team.tournament_id}::bigint AND state = 'waiting' AND id <= ${team.id}::bigint`.execute(
    db,
  )
  return Number(rows[0]?.position)
}

type NewTeam = {
  tournamentId: string
  name: string
  captainId: string
  state: 'held' | 'waiting'
  heldUntil: Date | null
}

export async function insertTeamOfPlayer(
  tx: Tx,
  { tournamentId, name, captainId, state, heldUntil }: NewTeam,
): Promise<string> {
  const { id } = await tx
    .insertInto('teams')
    .values({
      tournament_id: tournamentId,
      name,
      skeleton: skeletonOf(name),
      captain_id: captainId,
      state,
      held_until: heldUntil,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type TeamChange = Partial<
  Pick<TeamRow, 'name' | 'state' | 'held_until' | 'checked_in_at' | 'withdrawn_for'>
> & {
  withdrawn_at?: Date
}

export const updateTeam = (tx: Tx, teamId: string, change: TeamChange): Promise<void> =>
  updateTeams(tx, [teamId], change)

export async function updateTeams(tx: Tx, teamIds: readonly string[], change: TeamChange): Promise<void> {
  const skeleton = change.name === undefined ? {} : { skeleton: skeletonOf(change.name) }
  await tx
    .updateTable('teams')
    .set({ ...change, ...skeleton })
    .where(sql<boolean>`id = ANY(${[...teamIds]}::bigint[])`)
    .execute()
}

export type Player = { userId: string; serverId: string; account: string }

type NewMember = {
  tournamentId: string
  teamId: string
  player: Pick<Player, 'userId' | 'serverId'>
  character: { id: string; name: string; classId: number; level: number }
  isSubstitute: boolean
}

/** At the first free place of the team. */
export async function insertMemberOfTeam(
  tx: Tx,
  { tournamentId, teamId, player, character, isSubstitute }: NewMember,
): Promise<void> {
  await sql`
    INSERT INTO team_members (tournament_id, team_id, position, character_name, user_id, server_id, character_id,
                              class_id, level, is_substitute)
    SELECT ${tournamentId}::bigint, ${teamId}::bigint, min(place), ${character.name}, ${player.userId}::bigint,
           ${player.serverId}, ${character.id}, ${character.classId}, ${character.level}, ${isSubstitute}
      FROM generate_series(1, 8) AS place
     WHERE place NOT IN (SELECT position FROM team_members WHERE team_id = ${teamId}::bigint)`.execute(tx)
}

export type MemberRow = {
  team_id: string
  user_id: string
  username: string
  account: string
  server_id: string
  character_id: string
  character_name: string
  is_substitute: boolean
}

export const listMembers = (db: Db | Tx, teamId: string): Promise<MemberRow[]> => listMembersOf(db, [teamId])

export async function listMembersOf(db: Db | Tx, teamIds: readonly string[]): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    SELECT m.team_id, m.user_id, u.username, u.username_key AS account, m.server_id, m.character_id,
           m.character_name, m.is_substitute
      FROM team_members m JOIN users u ON u.id = m.user_id
     WHERE m.team_id = ANY(${[...teamIds]}::bigint[]) ORDER BY m.team_id, m.position`.execute(db)
  return rows
}

export async function deleteMember(tx: Tx, teamId: string, userId: string): Promise<void> {
  await tx.deleteFrom('team_members').where('team_id', '=', teamId).where('user_id', '=', userId).execute()
}

/** A substitute plays where a member has left. */
export async function promoteSubstitute(tx: Tx, teamId: string): Promise<void> {
  await sql`
    UPDATE team_members SET is_substitute = false
     WHERE team_id = ${teamId}::bigint AND position = (
       SELECT min(position) FROM team_members WHERE team_id = ${teamId}::bigint AND is_substitute)`.execute(
    tx,
  )
}

/** Everybody who played for these teams may play for another one. */
export async function deleteMembersOf(tx: Tx, teamIds: readonly string[]): Promise<void> {
  const teams = sql`team_id = ANY(${[...teamIds]}::bigint[])`
  await sql`DELETE FROM team_members WHERE ${teams}`.execute(tx)
  await sql`DELETE FROM team_invitations WHERE ${teams}`.execute(tx)
}

/** Whether a player, or the character, plays for another team already. */
export async function isTaken(
  tx: Tx,
  tournamentId: string,
  {
    userId,
    serverId,
    character,
  }: { userId: string; serverId: string; character: { id: string; name: string } },
): Promise<'player' | 'character' | null> {
  const { rows } = await sql<{ isPlayer: boolean }>`
    SELECT coalesce(user_id = ${userId}::bigint, false) AS "isPlayer" FROM team_members
     WHERE tournament_id = ${tournamentId}::bigint AND (
       user_id = ${userId}::bigint
       OR (server_id = ${serverId} AND character_id = ${character.id})
       OR (coalesce(server_id, '') IN ('', ${serverId}) AND lower(character_name) = lower(${character.name})))
     ORDER BY 1 DESC LIMIT 1`.execute(tx)
  const [row] = rows
  return row === undefined ? null : row.isPlayer ? 'player' : 'character'
}

export type InvitationRow = { user_id: string; username: string; state: 'invited' | 'accepted' | 'declined' }

export async function listTeamInvitations(db: Db | Tx, teamId: string): Promise<InvitationRow[]> {
  const { rows } = await sql<InvitationRow>`
    SELECT i.user_id, u.username, i.state FROM team_invitations i JOIN users u ON u.id = i.user_id
     WHERE i.team_id = ${teamId}::bigint ORDER BY i.created_at, i.user_id`.execute(db)
  return rows
}

export async function insertInvitations(
  tx: Tx,
  { tournamentId, teamId }: { tournamentId: string; teamId: string },
  userIds: readonly string[],
): Promise<void> {
  if (userIds.length === 0) return
  await tx
    .insertInto('team_invitations')
    .values(userIds.map((user_id) => ({ tournament_id: tournamentId, team_id: teamId, user_id })))
    .onConflict((conflict) => conflict.columns(['team_id', 'user_id']).doUpdateSet({ state: 'invited' }))
    .execute()
}

export async function updateInvitation(
  tx: Tx,
  { teamId, userId }: { teamId: string; userId: string },
  state: InvitationRow['state'],
): Promise<void> {
  await tx
    .updateTable('team_invitations')
    .set({ state })
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .execute()
}

export async function deleteInvitation(tx: Tx, teamId: string, userId: string): Promise<void> {
  await tx
    .deleteFrom('team_invitations')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .execute()
}

const INVITATIONS_MAX = 20

export async function listInvitationsOf(
  db: Db,
  userId: string,
  now: Date,
): Promise<(Omit<TeamInvitation, 'until'> & { until: Date | null })[]> {
  const { rows } = await sql<Omit<TeamInvitation, 'until'> & { until: Date | null }>`
    SELECT i.tournament_id, t.name AS tournament_name, i.team_id, team.name AS team_name,
           coalesce(captain.username, '') AS invited_by, team.held_until AS until
      FROM team_invitations i
      JOIN teams team ON team.id = i.team_id
      LEFT JOIN users captain ON captain.id = team.captain_id
      JOIN tournaments t ON t.id = i.tournament_id
     WHERE i.user_id = ${userId}::bigint AND i.state = 'invited'
       AND t.current_round = 0 AND t.cancelled_at IS NULL AND t.closed_at IS NULL AND t.competition_start_at > ${now}
     ORDER BY i.created_at DESC LIMIT ${INVITATIONS_MAX}`.execute(db)
  return rows
}

/** Usernames in any case, with the ids of those that exist and are not erased. */
export async function findPlayers(
  db: Db | Tx,
  keys: readonly string[],
): Promise<{ id: string; account: string }[]> {
  const { rows } = await sql<{ id: string; account: string }>`
    SELECT id, username_key AS account FROM users
     WHERE username_key = ANY(${[...keys]}::text[]) AND erased_at IS NULL`.execute(db)
  return rows
}

/** In the order of arrival, those who withdrew not among them. */
export async function listPublicTeams(
  db: Db,
  { tournamentId, after, limit }: { tournamentId: string; after: string; limit: number },
): Promise<PublicTeam[]> {
  const { rows } = await sql<PublicTeam>`
    SELECT t.id, t.name, t.state,
           CASE WHEN t.state = 'waiting' THEN (
             SELECT count(*)::integer FROM teams before
              WHERE before.tournament_id = t.tournament_id AND before.state = 'waiting' AND before.id <= t.id) END AS position,
           t.checked_in_at IS NOT NULL AS has_checked_in,
           coalesce((
             SELECT jsonb_agg(jsonb_build_object('character_name', m.character_name, 'is_substitute', m.is_substitute)
                              ORDER BY m.is_substitute, m.position)
               FROM team_members m WHERE m.team_id = t.id), '[]') AS members
      FROM teams t
     WHERE t.tournament_id = ${tournamentId}::bigint AND t.state <> 'withdrawn' AND t.id > ${after}::bigint
     ORDER BY t.id LIMIT ${limit}`.execute(db)
  return rows
}

/** The teams that have waited longest; with `checkedIn` only of those that have checked in. */
export async function listFirstWaiting(
  tx: Tx,
  tournamentId: string,
  { checkedIn, limit }: { checkedIn: boolean; limit: number },
): Promise<TeamRow[]> {
  const { rows } = await sql<TeamRow>`
    SELECT ${columns} FROM teams t
     WHERE t.tournament_id = ${tournamentId}::bigint AND t.state = 'waiting'
       AND (t.checked_in_at IS NOT NULL OR NOT ${checkedIn}::boolean OR t.captain_id IS NULL)
     ORDER BY t.id LIMIT ${limit}`.execute(tx)
  return rows
}

/** Held places that have run out, or are held for longer than any may be, oldest first. What is drawn or cancelled has none to give. */
export const listExpired = ({ now, latest }: { now: Date; latest: Date }): ListDue =>
  listDueOf({
    id: 't.id',
    from: sql`teams t JOIN tournaments cup ON cup.id = t.tournament_id`,
    isDue: sql<boolean>`t.state = 'held' AND (t.held_until <= ${now} OR t.held_until > ${latest})
       AND cup.cancelled_at IS NULL AND cup.current_round = 0`,
    order: sql`t.held_until`,
  })

export async function findTournamentOf(db: Db, teamId: string): Promise<string | undefined> {
  const row = await db.selectFrom('teams').select('tournament_id').where('id', '=', teamId).executeTakeFirst()
  return row?.tournament_id
}
