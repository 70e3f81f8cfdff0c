import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { onOnePage, type Person, type PersonalPart } from '#server/domain/personal-part.ts'
import type { Vault } from '#server/platform/db/vault.ts'
import { usernameKey } from './usernames.rules.ts'

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
