import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { CODE_AGE_MINUTES_MAX, VERIFY_MINUTES_MAX, WRONG_TRIES_MAX } from './codes.rules.ts'

export type CodeKey = { channel: 'phone' | 'email'; target: Buffer }
type HashedCode = CodeKey & { codeHash: Buffer }

export async function replaceCode(db: Db | Tx, { channel, target, codeHash }: HashedCode): Promise<void> {
  await sql`
    INSERT INTO one_time_code (channel, target, code_hash) VALUES (${channel}, ${target}, ${codeHash})
    ON CONFLICT (channel, target) DO UPDATE
      SET code_hash = excluded.code_hash, made_at = clock_timestamp(), wrong_tries = 0, verified_at = NULL,
          spent_at = NULL`.execute(db)
}

// The age is the statement's, not the transaction's, which may have waited for a lock.
const isYounger = (minutes: number) =>
  sql<boolean>`made_at > statement_timestamp() - make_interval(mins => ${minutes}::integer)`

/** The row is locked by the update, so that of many who bring the right code one finds it unverified. */
export async function markVerified(db: Db, { channel, target, codeHash }: HashedCode): Promise<boolean> {
  const { rows } = await sql<{ isVerified: boolean }>`
    UPDATE one_time_code
       SET verified_at = CASE WHEN code_hash = ${codeHash} THEN clock_timestamp() END,
           wrong_tries = wrong_tries + (code_hash <> ${codeHash})::integer
     WHERE channel = ${channel} AND target = ${target} AND verified_at IS NULL AND spent_at IS NULL
       AND wrong_tries < ${WRONG_TRIES_MAX} AND ${isYounger(VERIFY_MINUTES_MAX)}
    RETURNING verified_at IS NOT NULL AS "isVerified"`.execute(db)
  return rows[0]?.isVerified ?? false
}

const isSpendable = sql<boolean>`
  (channel = 'email' OR verified_at IS NOT NULL) AND spent_at IS NULL AND wrong_tries < ${WRONG_TRIES_MAX}
  AND ${isYounger(CODE_AGE_MINUTES_MAX)}`

export async function countTry(db: Db, { channel, target, codeHash }: HashedCode): Promise<boolean> {
  const { rows } = await sql<{ isRight: boolean }>`
    UPDATE one_time_code SET wrong_tries = wrong_tries + (code_hash <> ${codeHash})::integer
     WHERE channel = ${channel} AND target = ${target} AND ${isSpendable}
    RETURNING code_hash = ${codeHash} AS "isRight"`.execute(db)
  return rows[0]?.isRight ?? false
}

export async function markSpent(
  tx: Tx,
  { channel, target, codeHash }: CodeKey & { codeHash: Buffer | null },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE one_time_code SET spent_at = clock_timestamp()
     WHERE channel = ${channel} AND target = ${target} AND ${isSpendable}
       AND (${codeHash}::bytea IS NULL OR code_hash = ${codeHash})`.execute(tx)
  return numAffectedRows === 1n
}
