import { sql } from 'kysely'
import { BAN_FOREVER } from '#contract/users.ts'
import { notify } from '#server/domain/notices.ts'
import type { Person } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isDue, isPast } from '#server/platform/db/due.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { DuePart } from '#server/platform/queues/claiming.ts'

/** Stores that an account differs from what the game knows, and wakes the sender. */
export async function upsertChange(
  tx: Tx,
  { userId, isPasswordNew }: { userId: string; isPasswordNew: boolean },
): Promise<void> {
  await sql`
    INSERT INTO account_change (user_id, version, password_changed_at)
    VALUES (${userId}, ${nextVersion}, CASE WHEN ${isPasswordNew} THEN clock_timestamp() END)
    ON CONFLICT (user_id) DO UPDATE SET
      version = greatest(account_change.version + 1, excluded.version), changed_at = clock_timestamp(),
      password_changed_at = coalesce(excluded.password_changed_at, account_change.password_changed_at),
      attempt = 0, next_attempt_at = now()`.execute(tx)
  notify(tx, 'account_changed')
}

/**
 * Stores that an account is being erased, with the name by which the game knows it. False when there is no game to tell: it
 * was not asked for a day, or has said for a week that it keeps no accounts.
 */
export async function upsertErasure(tx: Tx, { id, username }: Person): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO account_change (user_id, version, password_changed_at, erased_account)
    SELECT ${id}, ${nextVersion}, clock_timestamp(), lower(${username})
      FROM game_accounts WHERE asked_at > now() - interval '1 day' AND ${keepsAccounts}
    ON CONFLICT (user_id) DO UPDATE SET
      version = greatest(account_change.version + 1, excluded.version), changed_at = clock_timestamp(),
      password_changed_at = clock_timestamp(), erased_account = excluded.erased_account,
      attempt = 0, next_attempt_at = now()`.execute(tx)
  if (numAffectedRows !== 1n) return false
  notify(tx, 'account_changed')
  return true
}

/** Names of erased accounts are not kept for a game that has not wanted to hear of accounts for a week. */
export async function deleteUntellableErasures(db: Db): Promise<void> {
  await sql`
    DELETE FROM account_change
     WHERE erased_account IS NOT NULL AND NOT EXISTS (SELECT FROM game_accounts WHERE ${keepsAccounts})`.execute(
    db,
  )
}

const keepsAccounts = sql`(are_kept IS NOT FALSE OR kept_at > now() - interval '7 days')`

/** The clock's time, which also grows after a restore; where the clock was ahead before, one more than the last. */
const nextVersion = sql`(
  SELECT CASE WHEN last.version < last.clock THEN setval('account_version', last.clock) ELSE last.version END
    FROM (SELECT nextval('account_version') AS version,
                 (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS clock) AS last)`

/** An account as the game is told about it. */
export type ClaimedChange = {
  userId: string
  account: string
  version: string
  isActivated: boolean
  /** The end of a ban of signing in that runs. */
  bannedUntil: Date | null
  passwordChangedAt: Date | null
  /** It was erased: banned for good, with a password that nobody has. */
  isErased: boolean
  attempt: number
}

/** The longest pause between two tries of a change. */
export const DELAY_SECONDS_MAX = 60

/** The longest due first. */
export const dueChanges = ({ limit, isWanted }: DuePart) => sql<{ id: string }>`
  SELECT user_id, user_id AS id FROM account_change
   WHERE ${isDue(sql`next_attempt_at`, DELAY_SECONDS_MAX)} AND ${isWanted(sql`account_change.user_id`)}
   ORDER BY next_attempt_at LIMIT ${limit}`

/** Takes changes that are due, skipping what another worker is just taking; they are due again after `leaseSeconds`. */
export async function claimDueChanges(db: Db, part: DuePart, leaseSeconds: number): Promise<ClaimedChange[]> {
  const { rows } = await sql<ClaimedChange>`
    WITH due AS (${dueChanges(part)} FOR NO KEY UPDATE SKIP LOCKED)
    UPDATE account_change AS c
       SET attempt = c.attempt + 1, next_attempt_at = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      FROM due JOIN users AS u ON u.id = due.user_id
     WHERE c.user_id = due.user_id
    RETURNING c.user_id AS "userId", coalesce(c.erased_account, u.username_key) AS account, c.version,
      c.erased_account IS NULL AND EXISTS (SELECT FROM activation WHERE activation.user_id = u.id) AS "isActivated",
      CASE WHEN c.erased_account IS NOT NULL THEN ${BAN_FOREVER}::timestamptz
           WHEN u.sign_in_ban_until > now() THEN u.sign_in_ban_until END AS "bannedUntil",
      c.password_changed_at AS "passwordChangedAt", c.erased_account IS NOT NULL AS "isErased", c.attempt`.execute(
    db,
  )
  return rows
}

type Claim = Pick<ClaimedChange, 'userId' | 'version'>

/** The game has it, unless the account was changed again meanwhile. Of an erased one nothing is left. */
export async function markSent(
  db: Db,
  { userId, version, isErased }: Claim & Pick<ClaimedChange, 'isErased'>,
): Promise<void> {
  if (isErased) {
    await db
      .deleteFrom('account_change')
      .where('user_id', '=', userId)
      .where('version', '=', version)
      .execute()
    return
  }
  await db
    .updateTable('account_change')
    .set({ next_attempt_at: null, attempt: 0 })
    .where('user_id', '=', userId)
    .where('version', '=', version)
    .execute()
}

export async function postponeChange(
  db: Db,
  { userId, version }: Claim,
  delaySeconds: number,
): Promise<void> {
  await db
    .updateTable('account_change')
    .set({ next_attempt_at: sql<Date>`clock_timestamp() + make_interval(secs => ${delaySeconds})` })
    .where('user_id', '=', userId)
    .where('version', '=', version)
    .execute()
}

/** What was changed since this moment and the game has answered is due again. */
export async function makeDueSince(db: Db | Tx, since: Date): Promise<void> {
  await db
    .updateTable('account_change')
    .set({ next_attempt_at: sql<Date>`clock_timestamp()`, attempt: 0 })
    .where('changed_at', '>=', since)
    .where('next_attempt_at', 'is', null)
    .execute()
}

/** The moment up to which every change has been answered by the game; behind now by what a transaction may take. */
export async function selectSentUntil(db: Db): Promise<Date> {
  const { rows } = await sql<{ until: Date }>`
    SELECT coalesce((SELECT min(changed_at) FROM account_change WHERE next_attempt_at IS NOT NULL), now())
           - interval '10 seconds' AS until`.execute(db)
  return (rows[0] as { until: Date }).until
}

/** What the game last said about keeping accounts; null while it has never said it. */
export async function selectAreKept(db: Db): Promise<boolean | null> {
  const row = await db.selectFrom('game_accounts').select('are_kept').executeTakeFirstOrThrow()
  return row.are_kept
}

const now = sql<Date>`clock_timestamp()`
/** Changes of the same answer are written once a minute at most. */
const isOld = sql<boolean>`(asked_at IS NULL OR ${isPast(sql`asked_at`, 30)})`

/** The same answer as the last time; false when there is another one to store, with its trace. */
export async function confirmAreKept(db: Db, areKept: boolean): Promise<boolean> {
  if ((await selectAreKept(db)) !== areKept) return false
  await db
    .updateTable('game_accounts')
    .set({ asked_at: now, failing_since: null, failure: null, ...(areKept && { kept_at: now }) })
    .where((eb) => eb.or([eb('failing_since', 'is not', null), isOld]))
    .execute()
  return true
}

/** Stores the answer and returns the one before, under a lock. */
export async function replaceAreKept(tx: Tx, areKept: boolean): Promise<boolean | null> {
  const { are_kept: before } = await tx
    .selectFrom('game_accounts')
    .select('are_kept')
    .forUpdate()
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('game_accounts')
    .set({
      are_kept: areKept,
      asked_at: now,
      failing_since: null,
      failure: null,
      ...(areKept && { kept_at: now }),
    })
    .execute()
  return before
}

/** The game did not say whether it keeps accounts: what it said last stays. */
export async function storeFailure(db: Db, failure: string): Promise<void> {
  await db
    .updateTable('game_accounts')
    .set({ asked_at: now, failing_since: sql<Date>`coalesce(failing_since, clock_timestamp())`, failure })
    .where((eb) => eb.or([eb('failing_since', 'is', null), isOld]))
    .execute()
}

export async function deleteChangeOf(tx: Tx, { id }: Person): Promise<void> {
  await tx.deleteFrom('account_change').where('user_id', '=', id).execute()
}
