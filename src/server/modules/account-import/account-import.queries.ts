import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { onOnePage, type Person } from '#server/domain/personal-part.ts'

/** Which of these keys were imported, and the names of their accounts in lower case. */
export async function selectImported(
  db: Db,
  source: string,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('imported_account')
    .select('game_key')
    // Looked up, not joined: right after thousands were made PostgreSQL would read all accounts for a page.
    .select((eb) =>
      eb
        .selectFrom('users')
        .select('username_key')
        .whereRef('users.id', '=', 'imported_account.user_id')
        .as('username_key'),
    )
    .where('source', '=', source)
    .where('game_key', '=', sql<string>`ANY(${keys}::text[])`)
    .execute()
  return new Map(rows.map(({ game_key: key, username_key: name }) => [key, name ?? '']))
}

export async function insertImported(
  tx: Tx,
  source: string,
  accounts: readonly { key: string; userId: string }[],
): Promise<void> {
  await tx
    .insertInto('imported_account')
    .values(accounts.map(({ key, userId }) => ({ source, game_key: key, user_id: userId })))
    .execute()
}

/** Whether the portal has this server. */
export async function hasServer(db: Db, id: string): Promise<boolean> {
  const found = db.selectFrom('servers').select('id').where('id', '=', id)
  return (await found.executeTakeFirst()) !== undefined
}

export const exportImported = onOnePage(
  ({ id }) => sql`
    SELECT source, game_key, imported_at FROM imported_account WHERE user_id = ${id}::bigint`,
)

export async function deleteImported(tx: Tx, { id }: Person): Promise<void> {
  await tx.deleteFrom('imported_account').where('user_id', '=', id).execute()
}
