import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { BATCH_ROWS, isFullBatch } from '#server/platform/jobs/loop.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { CODE_AGE_MINUTES_MAX, WRONG_TRIES_MAX, type KeptCode } from './codes.rules.ts'

export type CodeKey = { channel: 'phone' | 'email'; target: Buffer }
type HashedCode = CodeKey & { codeHash: Buffer }

/** The day's attempts are kept: requesting a new code does not reset them. */
export async function replaceCode(db: Db | Tx, { channel, target, codeHash }: HashedCode): Promise<void> {
  await sql`
    INSERT INTO one_time_code (channel, target, code_hash) VALUES (${channel}, ${target}, ${codeHash})
    ON CONFLICT (channel, target) DO UPDATE
      SET code_hash = excluded.code_hash, made_at = clock_timestamp(), wrong_tries = 0, verified_at = NULL,
          spent_at = NULL`.execute(db)
}

/** Locked, so that of many who bring the right code one finds it unverified. */
export async function lockCode(tx: Tx, { channel, target }: CodeKey): Promise<KeptCode | undefined> {
  const { rows } = await sql<KeptCode>`
    SELECT channel, code_hash AS "codeHash", verified_at IS NOT NULL AS "isVerified", spent_at IS NOT NULL AS "isSpent",
           wrong_tries AS "wrongTries",
           extract(epoch FROM statement_timestamp() - made_at)::float8 AS "ageSeconds",
           CASE WHEN tries_since > statement_timestamp() - interval '1 day' THEN tries_today ELSE 0 END AS "triesToday"
      FROM one_time_code WHERE channel = ${channel} AND target = ${target}
       FOR UPDATE`.execute(tx)
  return rows[0]
}

/** What one try leaves behind. `triesToday` counts it; the 24 hours run from the first. */
export type TryMark = { triesToday: number; isWrong: boolean; verifies: boolean }

export async function updateTry(tx: Tx, { channel, target }: CodeKey, mark: TryMark): Promise<void> {
  await sql`
    UPDATE one_time_code
       SET tries_today = ${mark.triesToday},
           tries_since = CASE WHEN ${mark.triesToday} = 1 THEN statement_timestamp() ELSE tries_since END,
           wrong_tries = wrong_tries + ${mark.isWrong ? 1 : 0},
           verified_at = CASE WHEN ${mark.verifies} THEN clock_timestamp() ELSE verified_at END
     WHERE channel = ${channel} AND target = ${target}`.execute(tx)
}

export async function markSpent(
  tx: Tx,
  { channel, target, codeHash }: CodeKey & { codeHash: Buffer | null },
): Promise<boolean> {
  // The age is the statement's, not the transaction's, which may have waited for a lock.
  const { numAffectedRows } = await sql`
    UPDATE one_time_code SET spent_at = clock_timestamp()
     WHERE channel = ${channel} AND target = ${target}
       AND (channel = 'email' OR verified_at IS NOT NULL) AND spent_at IS NULL AND wrong_tries < ${WRONG_TRIES_MAX}
       AND made_at > statement_timestamp() - make_interval(mins => ${CODE_AGE_MINUTES_MAX}::integer)
       AND (${codeHash}::bytea IS NULL OR code_hash = ${codeHash})`.execute(tx)
  return numAffectedRows === 1n
}

/** Removes one batch of codes that are long dead, once the day of their tries is over too; true when there may be more. */
export async function removeOldCodes(db: Db): Promise<boolean> {
  const deleted = await sql`
    DELETE FROM one_time_code WHERE (channel, target) IN (
      SELECT channel, target FROM one_time_code
       WHERE made_at < now() - interval '2 days' AND tries_since < now() - interval '1 day'
       ORDER BY made_at LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED)`.execute(db)
  return isFullBatch(deleted)
}
