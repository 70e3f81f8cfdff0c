import { sql } from 'kysely'
import type { Role } from '#contract/operator/roles.ts'
import type { StaffInvite, StaffMember } from '#contract/operator/staff.ts'
import { ADVISORY_LOCKS } from '#server/platform/db/advisory-lock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { countRows } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage } from '#server/platform/http/list.ts'

/** Changes of roles take turns, so that two owners cannot take the role from each other at once. */
export async function lockStaff(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.staff})`.execute(tx)
}

type Row = Omit<StaffMember, 'last_sign_in_at'> & { last_sign_in_at: Date | null }

const toMember = (row: Row): StaffMember => ({
  ...row,
  last_sign_in_at: row.last_sign_in_at?.toISOString() ?? null,
})

const MEMBER = sql`
  SELECT u.id, u.username,
         ARRAY(SELECT r.role FROM user_roles r WHERE r.user_id = u.id ORDER BY r.role) AS roles,
         EXISTS (SELECT FROM second_factor f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL)
           AS has_second_factor,
         EXISTS (SELECT FROM user_contacts c WHERE c.user_id = u.id AND c.email_verified_at IS NOT NULL)
           AS has_proved_address,
         (SELECT max(s.at) FROM sign_in s WHERE s.user_id = u.id AND s.outcome = 'succeeded')
           AS last_sign_in_at
    FROM users u`

export async function selectStaff(
  db: Db,
  ids: readonly string[] | undefined,
  { order, from, to }: ListPage,
): Promise<{ total: number; rows: StaffMember[] }> {
  const holders = sql`u.id IN (SELECT user_id FROM user_roles)
    AND (${ids ?? null}::bigint[] IS NULL OR u.id = ANY(${ids ?? null}::bigint[]))`
  const { rows } = await sql<Row>`${MEMBER} WHERE ${holders}
    ORDER BY u.username_key ${sql.raw(order)} OFFSET ${from} LIMIT ${to - from + 1}`.execute(db)
  const counted = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM users u WHERE ${holders}`.execute(db)
  return { total: counted.rows[0]?.count ?? 0, rows: rows.map(toMember) }
}

/** A user, whether or not they hold a role. */
export async function findMember(tx: Tx, userId: string): Promise<StaffMember | undefined> {
  const { rows } = await sql<Row>`${MEMBER} WHERE u.id = ${userId}::bigint`.execute(tx)
  return rows[0] && toMember(rows[0])
}

export async function countHolders(tx: Tx, role: Role): Promise<number> {
  return countRows(tx.selectFrom('user_roles').where('role', '=', role))
}

type NewInvite = {
  tokenHash: Buffer
  role: Role
  invitedBy: string
  hours: number
  isWaiting: boolean
}

export async function insertInvite(
  tx: Tx,
  { tokenHash, role, invitedBy, hours, isWaiting }: NewInvite,
): Promise<{ id: string; expiresAt: Date }> {
  const { rows } = await sql<{ id: string; expiresAt: Date }>`
    INSERT INTO staff_invite (token_hash, role, invited_by, expires_at, is_waiting)
    VALUES (${tokenHash}, ${role}, ${invitedBy}::bigint, clock_timestamp() + make_interval(hours => ${hours}), ${isWaiting})
    RETURNING id, expires_at AS "expiresAt"`.execute(tx)
  return rows[0] as { id: string; expiresAt: Date }
}

/** Whether an invitation can still be used, now or when a second person has agreed. */
const isOpen = sql<boolean>`(used_at IS NULL AND withdrawn_at IS NULL AND expires_at > clock_timestamp())`

type UsedInvite = { id: string; role: Role; invitedBy: string }

/** Uses an invitation up; undefined when there is none, it was used, or its time is over. */
export async function takeInvite(
  tx: Tx,
  { tokenHash, userId }: { tokenHash: Buffer; userId: string },
): Promise<UsedInvite | undefined> {
  const { rows } = await sql<UsedInvite>`
    UPDATE staff_invite SET used_by = ${userId}::bigint, used_at = clock_timestamp()
     WHERE token_hash = ${tokenHash} AND ${isOpen} AND NOT is_waiting
    RETURNING id, role, invited_by AS "invitedBy"`.execute(tx)
  return rows[0]
}

const namedInvites = (db: Db | Tx) =>
  db
    .selectFrom('staff_invite as invite')
    .innerJoin('users as maker', 'maker.id', 'invite.invited_by')
    .select(['invite.id', 'invite.role', 'invite.created_at', 'invite.expires_at', 'invite.is_waiting'])
    .select(['maker.id as maker_id', 'maker.username as maker_name'])
    .$narrowType<{ role: Role }>()

type InviteRow = Awaited<ReturnType<ReturnType<typeof namedInvites>['executeTakeFirstOrThrow']>>

const toInvite = ({ maker_id, maker_name, ...row }: InviteRow): StaffInvite => ({
  ...row,
  invited_by: { id: maker_id, username: maker_name },
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
})

/** Few are open at a time: each is, for 48 hours at most. */
export async function selectOpenInvites(
  db: Db,
  ids: readonly string[] | undefined,
  { order, from, to }: ListPage,
): Promise<{ total: number; rows: StaffInvite[] }> {
  const rows = await namedInvites(db)
    .where(isOpen)
    .$if(ids !== undefined, (query) => query.where('invite.id', 'in', ids as string[]))
    .orderBy('invite.expires_at', order)
    .orderBy('invite.id', order)
    .execute()
  return { total: rows.length, rows: rows.slice(from, to + 1).map(toInvite) }
}

/** Locks an invitation; `isOpen`: whether it can still be used. */
export async function lockInvite(
  tx: Tx,
  id: string,
): Promise<{ invite: StaffInvite; isOpen: boolean } | undefined> {
  const row = await namedInvites(tx)
    .select(isOpen.as('isOpen'))
    .where('invite.id', '=', id)
    .forUpdate('invite')
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { isOpen: isStillOpen, ...invite } = row
  return { invite: toInvite(invite), isOpen: isStillOpen }
}

export async function markWithdrawn(tx: Tx, id: string, by: string): Promise<void> {
  await tx
    .updateTable('staff_invite')
    .set({ withdrawn_by: by, withdrawn_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
}

/** Lets an invitation count that waited; false when it was withdrawn. */
export async function openInvite(tx: Tx, id: string, hours: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE staff_invite
       SET is_waiting = false, expires_at = clock_timestamp() + make_interval(hours => ${hours})
     WHERE id = ${id}::bigint AND is_waiting AND withdrawn_at IS NULL`.execute(tx)
  return numAffectedRows === 1n
}

/** An empty text for each that waits; what was withdrawn is not there. */
export async function selectWaitingInvites(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  const rows = await db
    .selectFrom('staff_invite')
    .select('id')
    .where('id', 'in', ids as string[])
    .where('is_waiting', '=', true)
    .where('withdrawn_at', 'is', null)
    .execute()
  return new Map(rows.map(({ id }) => [id, '']))
}

export async function selectRolesOf(db: Db, ids: readonly string[]): Promise<Map<string, Role[]>> {
  const rows = await db
    .selectFrom('user_roles')
    .select(['user_id', 'role'])
    .where('user_id', 'in', ids as string[])
    .$narrowType<{ role: Role }>()
    .execute()
  const held = Map.groupBy(rows, ({ user_id }) => user_id)
  return new Map([...held].map(([id, ofOne]) => [id, ofOne.map(({ role }) => role)]))
}

const CHAIN_MAX = 20

/** Ids, the nearest first. */
export async function selectGranters(tx: Tx, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    WITH RECURSIVE chain (id, length) AS (
      SELECT ${userId}::bigint, 0
      UNION
      SELECT r.granted_by, chain.length + 1 FROM chain JOIN user_roles r ON r.user_id = chain.id
       WHERE r.granted_by IS NOT NULL AND chain.length < ${CHAIN_MAX})
    SELECT id FROM chain WHERE id <> ${userId}::bigint GROUP BY id ORDER BY min(length)`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The pairs among accounts that have or had one phone: at most one of the two has it now. */
export async function listPairsOfOnePhone(
  db: Db | Tx,
  ids: readonly string[],
): Promise<{ one: string; other: string }[]> {
  const { rows } = await sql<{ one: string; other: string }>`
    WITH held (id, phone) AS (
      SELECT user_id, phone FROM user_contacts WHERE user_id = ANY (${ids}::bigint[]) AND phone IS NOT NULL
      UNION
      SELECT entry.subject_id::bigint, held.phone FROM audit_log entry JOIN audit_personal USING (seq),
             LATERAL (VALUES (content ->> 'before'), (content ->> 'after')) AS held (phone)
       WHERE entry.subject_type = 'user' AND entry.subject_id = ANY (${ids}::text[])
         AND entry.action IN ('users.change-phone', 'users.lose-phone') AND held.phone IS NOT NULL)
    SELECT DISTINCT one.id AS one, other.id AS other
      FROM held one JOIN held other ON other.phone = one.phone AND other.id <> one.id`.execute(db)
  return rows
}
