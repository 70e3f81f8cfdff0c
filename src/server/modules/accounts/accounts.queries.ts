import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { BanScope, User } from '#contract/users.ts'
import type { Role } from '#contract/operator/roles.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { DB } from '#server/platform/db/schema.gen.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { notFound } from '#server/platform/values/errors.ts'
import { onOnePage, type Person, type PersonalPart } from '#server/domain/personal-part.ts'
import type { Vault } from '#server/platform/db/vault.ts'
import { usernameKey } from './accounts.rules.ts'

export async function selectServers(db: Db): Promise<{ id: string; name: string }[]> {
  return db.selectFrom('servers').select(['id', 'name']).orderBy('position').orderBy('id').execute()
}

/** Without what they agreed to, which another module knows. */
export type OwnAccount = Omit<User, 'unread_texts' | 'pixel_consent'>

/** A player as the contract names it, with what only its owner may see of the contacts. */
export type CurrentUserRow = Omit<OwnAccount, 'balance' | 'first_gift' | 'ban_until' | 'permission_names'> & {
  balance: string
  /** The package a player took, if it was not refunded. */
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
  /** Null when none is stored. */
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

export async function findTaken(
  db: Db,
  { usernameKey, phone }: { usernameKey: string; phone: string },
): Promise<{ isUsernameTaken: boolean; isPhoneTaken: boolean }> {
  const { rows } = await sql<{ isUsernameTaken: boolean; isPhoneTaken: boolean }>`
    SELECT EXISTS (SELECT FROM users WHERE username_key = ${usernameKey}) AS "isUsernameTaken",
           EXISTS (SELECT FROM user_contacts WHERE phone = ${phone}) AS "isPhoneTaken"`.execute(db)
  return rows[0] as { isUsernameTaken: boolean; isPhoneTaken: boolean }
}

export async function nextUserId(tx: Tx): Promise<string> {
  const { rows } = await sql<{ id: string }>`SELECT nextval('users_id_seq') AS id`.execute(tx)
  return (rows[0] as { id: string }).id
}

export async function findReferrerId(
  tx: Tx,
  { usernameKey, userId }: { usernameKey: string | null; userId: string | null },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM users WHERE username_key = ${usernameKey} OR id = ${userId}::bigint
     ORDER BY (username_key = ${usernameKey}) DESC NULLS LAST LIMIT 1`.execute(tx)
  return rows[0]?.id ?? null
}

export async function insertUser(tx: Tx, user: Insertable<DB['users']>): Promise<void> {
  await tx.insertInto('users').values(user).execute()
}

export async function insertContacts(tx: Tx, contacts: Insertable<DB['user_contacts']>): Promise<void> {
  await tx.insertInto('user_contacts').values(contacts).execute()
}

/** As stored: a ban whose end has passed counts for nothing. */
type StoredBan = { until: Date | null; reason: string | null }

export type StoredBans = Record<BanScope, StoredBan>

/** Locks an account, as everything that opens a session for it does, and reads its bans. */
export async function lockBans(tx: Tx, userId: string): Promise<StoredBans | undefined> {
  const row = await tx
    .selectFrom('users')
    .select(['ban_until', 'ban_reason', 'sign_in_ban_until', 'sign_in_ban_reason'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return (
    row && {
      'sign-in': { until: row.sign_in_ban_until, reason: row.sign_in_ban_reason },
      trading: { until: row.ban_until, reason: row.ban_reason },
    }
  )
}

type NewBan = { userId: string; scope: BanScope } & StoredBan

/** False when there is no such account. */
export async function setBan(tx: Tx, { userId, scope, until, reason }: NewBan): Promise<boolean> {
  const ban =
    scope === 'trading'
      ? { ban_until: until, ban_reason: reason }
      : { sign_in_ban_until: until, sign_in_ban_reason: reason }
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set(ban)
    .where('id', '=', userId)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The ban that keeps a player from signing in at the moment. */
export async function findSignInBan(
  db: Db | Tx,
  userId: string,
): Promise<{ until: Date; reason: string | null } | undefined> {
  return db
    .selectFrom('users')
    .select(['sign_in_ban_until as until', 'sign_in_ban_reason as reason'])
    .where('id', '=', userId)
    .where('sign_in_ban_until', '>', sql<Date>`clock_timestamp()`)
    .$narrowType<{ until: Date }>()
    .executeTakeFirst()
}

export type Credentials = {
  id: string
  username: string
  serverId: string
  passwordHash: string
  banUntil: Date | null
  banReason: string | null
}

const credentials = (db: Db) =>
  db
    .selectFrom('users')
    .select([
      'id',
      'username',
      'server_id as serverId',
      'password_hash as passwordHash',
      'ban_until as banUntil',
      'ban_reason as banReason',
    ])

export async function selectCredentials(db: Db, key: string): Promise<Credentials | undefined> {
  return credentials(db).where('username_key', '=', key).executeTakeFirst()
}

/** The credentials of a player who is signed in. */
export async function getCredentialsOf(db: Db, userId: string): Promise<Credentials> {
  return credentials(db).where('id', '=', userId).executeTakeFirstOrThrow(notFound)
}

/** Sets a hash in place of the one the caller knows; false when that one has been replaced meanwhile. */
export async function setPasswordHash(
  db: Db | Tx,
  { userId, from, to }: { userId: string; from: string; to: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ password_hash: to })
    .where('id', '=', userId)
    .where('password_hash', '=', from)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Sets a new password's hash, whatever the old one was. Locks the account's row: anyone who is opening a session by the old
 * password is waited for. End the sessions in the same transaction, after this.
 */
export async function setNewPasswordHash(
  tx: Tx,
  { userId, hash }: { userId: string; hash: string },
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ password_hash: hash })
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

/** The account of a name with its contacts; undefined when nobody has it. Whoever was erased is not found by any name. */
export async function findPerson(
  db: Db | Tx,
  username: string,
): Promise<Omit<Person, 'characters'> | undefined> {
  const key = usernameKey(username)
  if (key === null) return undefined
  const { rows } = await sql<Omit<Person, 'characters'>>`
    SELECT u.id, u.username, u.wallet_account_id AS "walletId", c.email, c.phone, 'da-xoa-' || u.id AS alias
      FROM users u LEFT JOIN user_contacts c ON c.user_id = u.id
     WHERE u.username_key = ${key}`.execute(db)
  return rows[0]
}

const nameHash = (vault: Vault, username: string): Promise<Buffer> =>
  vault.hash('erased name', username.toLowerCase())

/** The name of an erased account stays taken: the game knows accounts by it. */
export async function isErasedName(
  { db, vault }: { db: Db | Tx; vault: Vault },
  username: string,
): Promise<boolean> {
  const hash = await nameHash(vault, username)
  const found = db.selectFrom('erased_name').select('erased_at').where('hash', '=', hash)
  return (await found.executeTakeFirst()) !== undefined
}

export const personalAccount: PersonalPart = {
  lists: {
    account: onOnePage(async (db, { id }) => {
      const { rows } = await sql<Record<string, unknown>>`
        SELECT u.id, u.username, u.server_id, u.created_at, u.referrer_id AS invited_by, c.email, c.email_verified_at,
               c.phone, c.phone_verified_at, u.ban_until, u.ban_reason, u.sign_in_ban_until, u.sign_in_ban_reason,
               ARRAY(SELECT role FROM user_roles r WHERE r.user_id = u.id ORDER BY role) AS roles,
               (SELECT count(*)::integer FROM users invited WHERE invited.referrer_id = u.id) AS invited
          FROM users u LEFT JOIN user_contacts c ON c.user_id = u.id
         WHERE u.id = ${id}::bigint`.execute(db)
      return rows
    }),
  },
  async erase(tx, { id, username }, { vault }) {
    await tx.deleteFrom('user_contacts').where('user_id', '=', id).execute()
    const hash = await nameHash(vault, username)
    await tx
      .insertInto('erased_name')
      .values({ hash })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await sql`SELECT erase_user(${id}::bigint)`.execute(tx)
  },
  open: {
    async role(tx, { id }) {
      const { rows } = await sql`SELECT FROM user_roles WHERE user_id = ${id}::bigint`.execute(tx)
      return rows.length
    },
  },
}
