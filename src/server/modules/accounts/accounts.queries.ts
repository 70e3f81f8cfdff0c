import { type Insertable, sql } from 'kysely'
import type { BanScope } from '#contract/users.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { DB } from '#server/platform/db/schema.gen.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { onOnePage, type Person } from '#server/domain/personal-part.ts'
import type { Vault } from '#server/platform/db/vault.ts'
import { deleteContactHint } from './contact-hints.queries.ts'
import { deleteContacts } from './contacts.queries.ts'
import type { Credentials, GameAccount, StoredBan } from './accounts.rules.ts'

export async function selectServers(db: Db): Promise<{ id: string; name: string }[]> {
  return db.selectFrom('servers').select(['id', 'name']).orderBy('position').orderBy('id').execute()
}

/** Reads all accounts. Those with other letters, shorter and longer names. */
export async function selectKeptOut(
  db: Db,
  { least, most, letters }: { least: number; most: number; letters: string },
): Promise<{ count: number; first: string | null }> {
  return db
    .selectFrom('users')
    .select([sql<number>`count(*)::int`.as('count'), sql<string | null>`min(username_key)`.as('first')])
    .where('erased_at', 'is', null)
    .where(
      sql<boolean>`(length(username) NOT BETWEEN ${least} AND ${most} OR translate(username_key, ${letters}, '') <> '')`,
    )
    .executeTakeFirstOrThrow()
}

export async function selectCreatedAt(
  db: Db,
  ids: readonly string[],
): Promise<{ id: string; created_at: Date }[]> {
  return db.selectFrom('users').select(['id', 'created_at']).where('id', 'in', ids).execute()
}

export async function findUserId(tx: Tx, usernameKey: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('username_key', '=', usernameKey)
    .executeTakeFirst()
  return row?.id
}

export async function selectUsername(db: Db | Tx, userId: string): Promise<string | undefined> {
  const users = db.selectFrom('users').select('username').where('id', '=', userId)
  return (await users.executeTakeFirst())?.username
}

export async function selectVerifiedAddress(
  db: Db | Tx,
  userId: string,
): Promise<{ username: string; email: string | null } | undefined> {
  return db
    .selectFrom('users')
    .innerJoin('user_contacts', 'user_contacts.user_id', 'users.id')
    .select(['users.username', 'user_contacts.email'])
    .where('users.id', '=', userId)
    .where('user_contacts.email_verified_at', 'is not', null)
    .executeTakeFirst()
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

export async function findTaken(
  db: Db,
  { usernameKey, phone }: { usernameKey: string; phone: string },
): Promise<{ isUsernameTaken: boolean; isPhoneTaken: boolean }> {
  const { rows } = await sql<{ isUsernameTaken: boolean; isPhoneTaken: boolean }>`
    SELECT EXISTS (SELECT FROM users WHERE username_key = ${usernameKey}) AS "isUsernameTaken",
           EXISTS (SELECT FROM user_contacts WHERE phone = ${phone}) AS "isPhoneTaken"`.execute(db)
  return rows[0] as { isUsernameTaken: boolean; isPhoneTaken: boolean }
}

export async function isUsername(db: Db | Tx, usernameKey: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM users WHERE username_key = ${usernameKey}`.execute(db)
  return rows.length > 0
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

/** Answers when it was made. */
export async function insertUser(tx: Tx, user: Insertable<DB['users']>): Promise<Date> {
  const row = await tx.insertInto('users').values(user).returning('created_at').executeTakeFirstOrThrow()
  return row.created_at
}

export async function insertContacts(tx: Tx, contacts: Insertable<DB['user_contacts']>): Promise<void> {
  await tx.insertInto('user_contacts').values(contacts).execute()
}

export async function lockBanRow(tx: Tx, userId: string) {
  return tx
    .selectFrom('users')
    .select(['ban_until', 'ban_reason', 'sign_in_ban_until', 'sign_in_ban_reason'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** False when there is no such account. */
export async function updateBan(
  tx: Tx,
  { userId, scope, until, reason }: { userId: string; scope: BanScope } & StoredBan,
): Promise<boolean> {
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

export async function selectSignInBan(
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

/** What a login of the game depends on, read at once. */
export async function selectGameAccount(db: Db, key: string): Promise<GameAccount | undefined> {
  return db
    .selectFrom('users')
    .select((eb) => [
      'id',
      'username',
      'password_hash as passwordHash',
      sql<Date | null>`CASE WHEN sign_in_ban_until > now() THEN sign_in_ban_until END`.as('bannedUntil'),
      eb
        .exists(eb.selectFrom('activation').whereRef('activation.user_id', '=', 'users.id'))
        .as('isActivated'),
    ])
    .$narrowType<{ isActivated: boolean }>()
    .where('username_key', '=', key)
    .executeTakeFirst()
}

export async function selectCredentialsOf(db: Db, userId: string): Promise<Credentials | undefined> {
  return credentials(db).where('id', '=', userId).executeTakeFirst()
}

/** Where `from` is given, only in place of that hash. False when nothing was replaced. */
export async function updatePasswordHash(
  db: Db | Tx,
  { userId, from, to }: { userId: string; from?: string; to: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ password_hash: to })
    .where('id', '=', userId)
    .$if(from !== undefined, (query) => query.where('password_hash', '=', from as string))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function selectPerson(
  db: Db | Tx,
  usernameKey: string,
): Promise<Omit<Person, 'characters'> | undefined> {
  const { rows } = await sql<Omit<Person, 'characters'>>`
    SELECT u.id, u.username, u.wallet_account_id AS "walletId", c.email, c.phone, 'da-xoa-' || u.id AS alias
      FROM users u LEFT JOIN user_contacts c ON c.user_id = u.id
     WHERE u.username_key = ${usernameKey}`.execute(db)
  return rows[0]
}

export const nameHash = (vault: Vault, username: string): Promise<Buffer> =>
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

export const exportAccount = onOnePage(
  ({ id }) => sql`
    SELECT u.id, u.username, u.server_id, u.created_at, u.referrer_id AS invited_by, c.email, c.email_verified_at,
           c.phone, c.phone_verified_at, u.ban_until, u.ban_reason, u.sign_in_ban_until, u.sign_in_ban_reason,
           ARRAY(SELECT role FROM user_roles r WHERE r.user_id = u.id ORDER BY role) AS roles,
           (SELECT count(*)::integer FROM users invited WHERE invited.referrer_id = u.id) AS invited
      FROM users u LEFT JOIN user_contacts c ON c.user_id = u.id
     WHERE u.id = ${id}::bigint`,
)

export async function eraseAccount(
  tx: Tx,
  { id, username }: Person,
  { vault }: { vault: Vault },
): Promise<void> {
  await deleteContacts(tx, id)
  await deleteContactHint(tx, id)
  await tx.deleteFrom('former_role').where('user_id', '=', id).execute()
  const hash = await nameHash(vault, username)
  await tx
    .insertInto('erased_name')
    .values({ hash })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await sql`SELECT erase_user(${id}::bigint)`.execute(tx)
}
