import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { Vault } from '#server/platform/db/vault.ts'
import { nameHash } from './accounts.queries.ts'

/** Which of these names, in lower case, belong to an account. */
export async function selectTakenKeys(db: Db, keys: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('username_key')
    .where('username_key', '=', sql<string>`ANY(${keys}::text[])`)
    .execute()
  return rows.flatMap(({ username_key: key }) => (key === null ? [] : [key]))
}

/** Which of these names, in lower case, belonged to accounts that were erased. */
export async function selectErasedKeys(
  { db, vault }: { db: Db; vault: Vault },
  keys: readonly string[],
): Promise<string[]> {
  const hashes = await Promise.all(keys.map((key) => nameHash(vault, key)))
  const rows = await db
    .selectFrom('erased_name')
    .select('hash')
    .where('hash', '=', sql<Buffer>`ANY(${hashes}::bytea[])`)
    .execute()
  const erased = new Set(rows.map(({ hash }) => hash.toString('hex')))
  return keys.filter((_, at) => erased.has(hashes[at]?.toString('hex') ?? ''))
}

export async function nextUserIds(tx: Tx, count: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT nextval('users_id_seq') AS id FROM generate_series(1, ${count}::integer)`.execute(tx)
  return rows.map(({ id }) => id)
}

export type UserRow = {
  id: string
  walletId: string
  username: string
  passwordHash: string
  serverId: string
  signInBan: { until: string; reason: string } | null
}

export async function insertUsers(tx: Tx, users: readonly UserRow[]): Promise<void> {
  await tx
    .insertInto('users')
    .values(
      users.map(({ id, walletId, username, passwordHash, serverId, signInBan }) => ({
        id,
        username,
        password_hash: passwordHash,
        server_id: serverId,
        wallet_account_id: walletId,
        sign_in_ban_until: signInBan?.until ?? null,
        sign_in_ban_reason: signInBan?.reason ?? null,
      })),
    )
    .execute()
}
