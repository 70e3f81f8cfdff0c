import { sql } from 'kysely'
import type { BanScope } from '#contract/bans.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

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

export type NewBan = { userId: string; scope: BanScope } & StoredBan

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
