import { sql } from 'kysely'
import type { Role } from '#contract/operator/roles.ts'
import type { StaffMember } from '#contract/operator/staff.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage } from '#server/platform/http/list.ts'

/** Any constant does; it only has to be the same in every portal process. */
const STAFF_LOCK = 7_346_522_012

/** Changes of roles take turns, so that two owners cannot take the role from each other at once. */
export async function lockStaff(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${STAFF_LOCK})`.execute(tx)
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
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM user_roles WHERE role = ${role}`.execute(tx)
  return rows[0]?.count ?? 0
}

export async function insertInvite(
  tx: Tx,
  { tokenHash, role, invitedBy, hours }: { tokenHash: Buffer; role: Role; invitedBy: string; hours: number },
): Promise<{ id: string; expiresAt: Date }> {
  const { rows } = await sql<{ id: string; expiresAt: Date }>`
    INSERT INTO staff_invite (token_hash, role, invited_by, expires_at)
    VALUES (${tokenHash}, ${role}, ${invitedBy}::bigint, clock_timestamp() + make_interval(hours => ${hours}))
    RETURNING id, expires_at AS "expiresAt"`.execute(tx)
  return rows[0] as { id: string; expiresAt: Date }
}

export type UsedInvite = { id: string; role: Role; invitedBy: string }

/** Uses an invitation up; undefined when there is none, it was used, or its time is over. */
export async function takeInvite(
  tx: Tx,
  { tokenHash, userId }: { tokenHash: Buffer; userId: string },
): Promise<UsedInvite | undefined> {
  const { rows } = await sql<UsedInvite>`
    UPDATE staff_invite SET used_by = ${userId}::bigint, used_at = clock_timestamp()
     WHERE token_hash = ${tokenHash} AND used_at IS NULL AND expires_at > clock_timestamp()
    RETURNING id, role, invited_by AS "invitedBy"`.execute(tx)
  return rows[0]
}
