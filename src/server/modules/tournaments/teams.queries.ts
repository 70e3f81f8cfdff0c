import { type RawBuilder, sql } from 'kysely'
import { type OperatorTeam, type TeamWithFees, WITHDRAWN_TEAMS_MAX } from '#contract/operator/tournaments.ts'
import { contentChanges } from '#server/domain/content.ts'
import { skeletonOf } from '#server/domain/name-skeleton.rules.ts'
import { onOnePage, type Person } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import { countRows } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

/** Returns their ids in the order of the names. */
export async function insertTeams(tx: Tx, tournamentId: string, names: readonly string[]): Promise<string[]> {
  const rows = await tx
    .insertInto('teams')
    .values(names.map((name) => ({ tournament_id: tournamentId, name, skeleton: skeletonOf(name) })))
    .returning(['id', 'name'])
    .execute()
  const ids = new Map(rows.map(({ id, name }) => [name, id]))
  return names.map((name) => ids.get(name) as string)
}

/** Those that are not out, or one of them, in the order in which they registered. */
export async function listTeams(
  db: Db | Tx,
  tournamentId: string,
  teamId: string | null = null,
): Promise<OperatorTeam[]> {
  const { rows } = await sql<OperatorTeam>`
    SELECT teams.id, teams.name, teams.state, teams.seed, teams.captain_id IS NOT NULL AS is_registered,
           coalesce(array_agg(m.character_name ORDER BY m.position) FILTER (WHERE m.team_id IS NOT NULL), '{}') AS members
      FROM teams LEFT JOIN team_members m ON m.team_id = teams.id
     WHERE teams.tournament_id = ${tournamentId}::bigint AND teams.state <> 'withdrawn'
       AND (${teamId}::bigint IS NULL OR teams.id = ${teamId}::bigint)
     GROUP BY teams.id ORDER BY teams.id`.execute(db)
  return rows
}

type TeamAndFeesRow = Omit<TeamWithFees, 'held_until' | 'fees'> & {
  held_until: Date | null
  pending: string
  taken: string
  refunding: string
  refunded: string
}

const toTeamWithFees = (row: TeamAndFeesRow): TeamWithFees => {
  const { held_until, pending, taken, refunding, refunded, ...team } = row
  return {
    ...team,
    held_until: held_until?.toISOString() ?? null,
    fees: {
      pending: Number(pending),
      taken: Number(taken),
      refunding: Number(refunding),
      refunded: Number(refunded),
    },
  }
}

/** What the console shows of the teams that `which` chooses. */
async function readTeams(db: Db, tournamentId: string, which: RawBuilder<unknown>): Promise<TeamWithFees[]> {
  const { rows } = await sql<TeamAndFeesRow>`
    WITH chosen AS (
      SELECT * FROM teams WHERE tournament_id = ${tournamentId}::bigint AND ${which}),
    fees AS (
      SELECT team_id, sum(luong) FILTER (WHERE state = 'pending') AS pending,
             sum(luong) FILTER (WHERE state = 'applied') AS taken,
             sum(luong) FILTER (WHERE state = 'refunding') AS refunding,
             sum(luong) FILTER (WHERE state = 'refunded') AS refunded
        FROM tournament_charges WHERE tournament_id = ${tournamentId}::bigint GROUP BY team_id),
    players AS (
      SELECT team_id, array_agg(character_name ORDER BY position) AS members
        FROM team_members WHERE team_id IN (SELECT id FROM chosen) GROUP BY team_id)
    SELECT team.id, team.name, team.state, team.seed, team.captain_id IS NOT NULL AS is_registered, team.held_until,
           team.checked_in_at IS NOT NULL OR team.captain_id IS NULL AS has_checked_in, team.withdrawn_for,
           coalesce(players.members, '{}') AS members,
           coalesce(fees.pending, 0) AS pending, coalesce(fees.taken, 0) AS taken,
           coalesce(fees.refunding, 0) AS refunding, coalesce(fees.refunded, 0) AS refunded
      FROM chosen team LEFT JOIN fees ON fees.team_id = team.id LEFT JOIN players ON players.team_id = team.id
     ORDER BY team.id`.execute(db)
  return rows.map(toTeamWithFees)
}

/** In the order in which they registered. */
export const listTeamsAndFees = (db: Db, tournamentId: string): Promise<TeamWithFees[]> =>
  readTeams(db, tournamentId, sql`state <> 'withdrawn'`)

/** The last that went out, in the order in which they registered. */
export const listWithdrawnTeams = (db: Db, tournamentId: string): Promise<TeamWithFees[]> =>
  readTeams(
    db,
    tournamentId,
    sql`id IN (
      SELECT id FROM teams WHERE tournament_id = ${tournamentId}::bigint AND state = 'withdrawn'
       ORDER BY id DESC LIMIT ${WITHDRAWN_TEAMS_MAX})`,
  )

type OfOthers = {
  tournamentId: string
  /** The team whose own names do not count; 0 for a new one. */
  teamId: string
}

/** Of these names those of other teams, or that are taken for one. */
export async function findTakenNames(
  tx: Tx,
  { tournamentId, teamId, names }: OfOthers & { names: readonly string[] },
): Promise<string[]> {
  await fillSkeletons(tx, tournamentId)
  const teams = await sql<{ skeleton: string }>`
    SELECT skeleton FROM teams WHERE tournament_id = ${tournamentId}::bigint AND id <> ${teamId}::bigint
       AND state <> 'withdrawn' AND skeleton = ANY(${names.map(skeletonOf)}::text[])`.execute(tx)
  const taken = teams.rows.map(({ skeleton }) => skeleton)
  return names.filter((name) => taken.includes(skeletonOf(name)))
}

/** Of these characters, whatever their capitals, those of other teams. */
export async function findTakenMembers(
  tx: Tx,
  { tournamentId, teamId, members }: OfOthers & { members: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ character_name: string }>`
    SELECT character_name FROM team_members WHERE tournament_id = ${tournamentId}::bigint
       AND team_id <> ${teamId}::bigint
       AND lower(character_name) IN (SELECT lower(x) FROM unnest(${[...members]}::text[]) x)`.execute(tx)
  return rows.map(({ character_name }) => character_name)
}

/** Gives the teams of an older release their skeletons, under the lock of the tournament; of twins only the first has it. */
async function fillSkeletons(tx: Tx, tournamentId: string): Promise<void> {
  const { rows } = await sql<{ id: string; name: string; skeleton: string | null }>`
    SELECT id, name, skeleton FROM teams
     WHERE tournament_id = ${tournamentId}::bigint AND state <> 'withdrawn'
       AND EXISTS (SELECT FROM teams WHERE tournament_id = ${tournamentId}::bigint AND state <> 'withdrawn' AND skeleton IS NULL)
     ORDER BY id`.execute(tx)
  const used = new Set(rows.map(({ skeleton }) => skeleton))
  const without = rows.filter(({ skeleton }) => skeleton === null)
  if (without.length === 0) return
  const made = without.map(({ id, name }) => {
    const skeleton = skeletonOf(name)
    const own = used.has(skeleton) ? `=${id}` : skeleton
    used.add(own)
    return own
  })
  await sql`
    UPDATE teams SET skeleton = made.skeleton
      FROM unnest(${without.map(({ id }) => id)}::bigint[], ${made}::text[]) AS made (id, skeleton)
     WHERE teams.id = made.id`.execute(tx)
}

export async function insertMembers(
  tx: Tx,
  { tournamentId, teamId }: { tournamentId: string; teamId: string },
  members: readonly string[],
): Promise<void> {
  const rows = members.map((character_name, index) => ({
    tournament_id: tournamentId,
    team_id: teamId,
    position: index + 1,
    character_name,
  }))
  await tx.insertInto('team_members').values(rows).execute()
}

export async function replaceMembers(
  tx: Tx,
  { tournamentId, teamId }: { tournamentId: string; teamId: string },
  members: readonly string[],
): Promise<void> {
  await tx.deleteFrom('team_members').where('team_id', '=', teamId).execute()
  await insertMembers(tx, { tournamentId, teamId }, members)
}

/** The seeded teams, the strongest first; all others lose their seed. */
export async function updateSeeds(tx: Tx, tournamentId: string, teamIds: readonly string[]): Promise<void> {
  await sql`
    UPDATE teams SET seed = NULL WHERE tournament_id = ${tournamentId}::bigint AND seed IS NOT NULL`.execute(
    tx,
  )
  await sql`
    UPDATE teams SET seed = s.place FROM unnest(${[...teamIds]}::bigint[]) WITH ORDINALITY AS s (id, place)
     WHERE teams.tournament_id = ${tournamentId}::bigint AND teams.id = s.id`.execute(tx)
}

/** The place of each team in the drawn order, from 1; a place may be empty. */
export async function updateDrawPositions(
  tx: Tx,
  tournamentId: string,
  order: readonly (string | null)[],
): Promise<void> {
  await sql`
    UPDATE teams SET draw_position = s.place FROM unnest(${[...order]}::bigint[]) WITH ORDINALITY AS s (id, place)
     WHERE teams.tournament_id = ${tournamentId}::bigint AND teams.id = s.id`.execute(tx)
}

/** Those that play if the tournament is drawn now. */
export async function listAdmitted(tx: Tx, tournamentId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM teams WHERE tournament_id = ${tournamentId}::bigint AND state = 'admitted' ORDER BY id`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

/** As they were drawn. */
export async function listDrawnOrder(db: Db | Tx, tournamentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('teams')
    .select('id')
    .where('tournament_id', '=', tournamentId)
    .where('draw_position', 'is not', null)
    .orderBy('draw_position')
    .execute()
  return rows.map(({ id }) => id)
}

/** Whether players, and not only operators, have registered teams. */
export async function hasTeamsOfPlayers(tx: Tx, tournamentId: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    SELECT EXISTS (SELECT FROM teams
                    WHERE tournament_id = ${tournamentId}::bigint AND captain_id IS NOT NULL
                      AND state <> 'withdrawn') AS has`.execute(tx)
  return rows[0]?.has === true
}

const namesOf = ({ characters }: Person) => characters.map(({ name }) => name.toLowerCase())

/** Of an operator's list a member is known by the character's name alone. */
const ofPerson = (person: Person) => sql`(m.user_id = ${person.id}::bigint OR (
  m.user_id IS NULL AND lower(m.character_name) = ANY(${namesOf(person)}::text[])))`

export const exportTeams = onOnePage(
  (person) => sql`
    SELECT t.name AS tournament, team.name AS team, m.character_name
      FROM team_members m
      JOIN teams team ON team.id = m.team_id
      JOIN tournaments t ON t.id = m.tournament_id
     WHERE m.user_id = ${person.id}::bigint
        OR (m.user_id IS NULL AND lower(m.character_name) = ANY(${namesOf(person)}::text[]))
     ORDER BY m.tournament_id`,
)

export const exportCharges = onOnePage(
  (person) => sql`
    SELECT t.name AS tournament, c.luong, c.state, c.reason, c.created_at, c.applied_at, c.refunded_at
      FROM tournament_charges c JOIN tournaments t ON t.id = c.tournament_id
     WHERE c.user_id = ${person.id}::bigint ORDER BY c.created_at`,
)

/** Fees that the game has not decided about, or given back, yet. */
export async function countOpenCharges(tx: Tx, userId: string): Promise<number> {
  const charges = tx.selectFrom('tournament_charges').where('user_id', '=', userId)
  return countRows(charges.where('state', 'in', ['pending', 'refunding']))
}

/** A team that is named as the character, as in single duels, loses that name too. */
export async function eraseMemberships(tx: Tx, person: Person): Promise<void> {
  await sql`
    UPDATE teams SET name = ${person.alias}::text || '-' || id, skeleton = '=' || id
     WHERE (lower(name) = ANY(${namesOf(person)}::text[]) AND id IN (
             SELECT m.team_id FROM team_members m WHERE ${ofPerson(person)}))
        OR captain_id = ${person.id}::bigint`.execute(tx)
  await sql`
    UPDATE team_members m
       SET character_name = ${person.alias}::text || '-' || m.team_id || '-' || m.position,
           user_id = NULL, server_id = NULL, character_id = NULL, class_id = NULL, level = NULL
     WHERE ${ofPerson(person)}`.execute(tx)
  await sql`DELETE FROM team_invitations WHERE user_id = ${person.id}::bigint`.execute(tx)
  await sql`DELETE FROM tournament_reminder WHERE user_id = ${person.id}::bigint`.execute(tx)
  await sql`DELETE FROM tournament_follower WHERE user_id = ${person.id}::bigint`.execute(tx)
  await sql`
    UPDATE tournament_charges SET account = ${person.alias}::text, character_id = '-'
     WHERE user_id = ${person.id}::bigint`.execute(tx)
  await contentChanges(tx, 'tournaments')
}
