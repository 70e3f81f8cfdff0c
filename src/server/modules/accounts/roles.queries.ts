import { type RawBuilder, sql } from 'kysely'
import { APPROVING_ROLES, FORMER_ROLE_DAYS, NEW_OPERATOR_DAYS } from '#contract/operator/proposals.ts'
import type { Role } from '#contract/operator/roles.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

/** Approving roles that were taken so lately that their holders still count. */
const stillCounts: RawBuilder<boolean> = sql`(role = ANY(${[...APPROVING_ROLES]}::text[])
  AND taken_at > clock_timestamp() - make_interval(days => ${FORMER_ROLE_DAYS}::integer))`

export type HeldRoles = { roles: Role[]; formerRoles: Role[] }

type StaffRow = HeldRoles & { id: string; username: string; email: string | null }

/** Anyone who holds a role, or held one that still counts, with the address they have proved. */
export async function selectOperators(db: Db | Tx): Promise<StaffRow[]> {
  const { rows } = await sql<StaffRow>`
    SELECT u.id, u.username,
           array_remove(array_agg(CASE WHEN NOT held.is_former THEN held.role END), NULL) AS roles,
           array_remove(array_agg(CASE WHEN held.is_former THEN held.role END), NULL) AS "formerRoles",
           CASE WHEN c.email_verified_at IS NOT NULL THEN c.email END AS email
      FROM (SELECT user_id, role, false AS is_former FROM user_roles
            UNION ALL
            SELECT user_id, role, true FROM former_role WHERE ${stillCounts}) held
      JOIN users u ON u.id = held.user_id
      LEFT JOIN user_contacts c ON c.user_id = u.id
     GROUP BY u.id, c.user_id
     ORDER BY u.id`.execute(db)
  return rows
}

/** Of one account. */
export async function selectHeldRoles(db: Db | Tx, userId: string): Promise<HeldRoles> {
  const { rows } = await sql<HeldRoles>`
    SELECT ARRAY(SELECT role FROM user_roles WHERE user_id = ${userId}::bigint) AS roles,
           ARRAY(SELECT role FROM former_role WHERE user_id = ${userId}::bigint AND ${stillCounts})
             AS "formerRoles"`.execute(db)
  return rows[0] as HeldRoles
}

type NewRole = { userId: string; role: Role; grantedBy: string | null }

/** False when the role was there already. */
export async function insertRole(tx: Tx, { userId, role, grantedBy }: NewRole): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('user_roles')
    .values({ user_id: userId, role, granted_by: grantedBy })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Takes a role away for good, also the days in which it would still count; false when there was nothing to take. */
export async function deleteRole(tx: Tx, userId: string, role: Role): Promise<boolean> {
  const { rows } = await sql`
    WITH held AS (DELETE FROM user_roles WHERE user_id = ${userId}::bigint AND role = ${role} RETURNING role),
         former AS (DELETE FROM former_role WHERE user_id = ${userId}::bigint AND role = ${role} RETURNING role)
    SELECT role FROM held UNION ALL SELECT role FROM former`.execute(tx)
  return rows.length > 0
}

/**
 * Takes a role away whose holder still counts for some days. What was taken and given again within them is as old as it was
 * first: nobody is made a newcomer by it.
 */
export async function takeRole(tx: Tx, userId: string, role: Role): Promise<void> {
  await sql`
    WITH gone AS (
      DELETE FROM user_roles WHERE user_id = ${userId}::bigint AND role = ${role} RETURNING granted_at, granted_by)
    INSERT INTO former_role AS former (user_id, role, granted_at, granted_by)
    SELECT ${userId}::bigint, ${role}, granted_at, granted_by FROM gone
    ON CONFLICT (user_id, role) DO UPDATE SET
      granted_at = CASE WHEN former.taken_at > excluded.taken_at - make_interval(days => ${FORMER_ROLE_DAYS}::integer)
                        THEN former.granted_at ELSE excluded.granted_at END,
      granted_by = CASE WHEN former.taken_at > excluded.taken_at - make_interval(days => ${FORMER_ROLE_DAYS}::integer)
                        THEN former.granted_by ELSE excluded.granted_by END,
      taken_at = excluded.taken_at`.execute(tx)
}

/** A role that somebody holds, or held and still counts by. `isRecent`: it was given in the last days, by `by`. */
export type Holding = { userId: string; role: Role; by: string | null; isRecent: boolean }

export async function selectHoldings(db: Db | Tx): Promise<Holding[]> {
  const since = sql`clock_timestamp() - make_interval(days => ${NEW_OPERATOR_DAYS}::integer)`
  const { rows } = await sql<Holding>`
    SELECT user_id AS "userId", role, granted_by AS by, granted_by IS NOT NULL AND granted_at > ${since} AS "isRecent"
      FROM (SELECT user_id, role, granted_at, granted_by FROM user_roles
            UNION ALL
            SELECT user_id, role, granted_at, granted_by FROM former_role WHERE ${stillCounts}) held`.execute(
    db,
  )
  return rows
}
