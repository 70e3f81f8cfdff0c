import { sql, type RawBuilder } from 'kysely'
import type { Role } from '#contract/operator/roles.ts'
import type { User } from '#contract/users.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { notFound } from '#server/platform/http/refusal.ts'

export async function selectServers(db: Db): Promise<{ id: string; name: string }[]> {
  return db.selectFrom('servers').select(['id', 'name']).orderBy('position').orderBy('id').execute()
}

/** Without what they agreed to, which another module knows. */
export type OwnAccount = Omit<User, 'unread_texts' | 'pixel_consent'>

/** A player as the contract names it, with what only its owner may see of the contacts. */
export type CurrentUserRow = Omit<OwnAccount, 'balance' | 'first_gift' | 'ban_until' | 'permission_names'> & {
  balance: string
  /** The package a player took and kept. */
  first_gift: string | null
  ban_until: Date | null
}

/** What a statement that has the player as `u` selects and joins for a `CurrentUserRow`. */
export const currentUser: Record<'columns' | 'joins', RawBuilder<unknown>> = {
  columns: sql`u.id, u.username, u.server_id, server.name AS server_name, w.balance, u.ban_until, u.ban_reason,
           EXISTS (SELECT FROM activation a WHERE a.user_id = u.id) AS activated,
           (SELECT g.package_id FROM first_gift g WHERE g.user_id = u.id AND g.voided_at IS NULL) AS first_gift,
           ARRAY(SELECT r.role FROM user_roles r WHERE r.user_id = u.id ORDER BY r.role) AS role_names,
           c.email, c.email_verified_at IS NOT NULL AS email_verified,
           c.phone, c.phone_verified_at IS NOT NULL AS phone_verified`,
  joins: sql`JOIN ledger_account w ON w.id = u.wallet_account_id
      JOIN servers server ON server.id = u.server_id
      LEFT JOIN user_contacts c ON c.user_id = u.id`,
}

export async function findUserId(tx: Tx, usernameKey: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('username_key', '=', usernameKey)
    .executeTakeFirst()
  return row?.id
}

export async function findUsername(db: Db | Tx, userId: string): Promise<string> {
  const users = db.selectFrom('users').select('username').where('id', '=', userId)
  return (await users.executeTakeFirstOrThrow(notFound)).username
}

/** The verified address of a player, for mail. An unverified one may belong to somebody else. */
export async function findVerifiedAddress(
  db: Db | Tx,
  userId: string,
): Promise<{ username: string; email: string } | undefined> {
  const row = await db
    .selectFrom('users')
    .innerJoin('user_contacts', 'user_contacts.user_id', 'users.id')
    .select(['users.username', 'user_contacts.email'])
    .where('users.id', '=', userId)
    .where('user_contacts.email_verified_at', 'is not', null)
    .executeTakeFirst()
  return row?.email ? { username: row.username, email: row.email } : undefined
}

/** Anyone who holds a role, with the address they have proved. */
export async function selectOperators(
  db: Db | Tx,
): Promise<{ id: string; username: string; roles: string[]; email: string | null }[]> {
  const { rows } = await sql<{ id: string; username: string; roles: string[]; email: string | null }>`
    SELECT u.id, u.username, array_agg(r.role) AS roles,
           CASE WHEN c.email_verified_at IS NOT NULL THEN c.email END AS email
      FROM user_roles r
      JOIN users u ON u.id = r.user_id
      LEFT JOIN user_contacts c ON c.user_id = u.id
     GROUP BY u.id, c.user_id
     ORDER BY u.id`.execute(db)
  return rows
}

export type OperatorRow = {
  username: string
  roles: string[]
  hasSecondFactor: boolean
  /** Null when there was none that is still kept. */
  lastSignInAt: Date | null
}

/** The first holders of a role, by name, with how they sign in. */
export async function selectOperatorStates(db: Db, limit: number): Promise<OperatorRow[]> {
  const { rows } = await sql<OperatorRow>`
    SELECT u.username, ARRAY(SELECT r.role FROM user_roles r WHERE r.user_id = u.id ORDER BY r.role) AS roles,
           f.confirmed_at IS NOT NULL AS "hasSecondFactor",
           (SELECT max(s.at) FROM sign_in s WHERE s.user_id = u.id AND s.outcome = 'succeeded') AS "lastSignInAt"
      FROM users u
      LEFT JOIN second_factor f ON f.user_id = u.id
     WHERE u.id IN (SELECT user_id FROM user_roles)
     ORDER BY u.username_key LIMIT ${limit}`.execute(db)
  return rows
}

/** How many players named this one when they registered; counted up to `limit`. */
export async function countInvited(
  db: Db,
  { userId, limit }: { userId: string; limit: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count
      FROM (SELECT FROM users WHERE referrer_id = ${userId}::bigint LIMIT ${limit}) AS invited`.execute(db)
  return (rows[0] as { count: number }).count
}

/** Whether a player is an operator, of whatever kind. */
export async function holdsRole(db: Db | Tx, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('user_roles')
    .select('user_id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** False when the role was there already. */
export async function insertRole(
  tx: Tx,
  { userId, role, grantedBy }: { userId: string; role: Role; grantedBy: string | null },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('user_roles')
    .values({ user_id: userId, role, granted_by: grantedBy })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** False when there was no such role. */
export async function deleteRole(tx: Tx, userId: string, role: Role): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('user_roles')
    .where('user_id', '=', userId)
    .where('role', '=', role)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
