import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { countRows } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { STEPS_AHEAD_MAX } from './second-factor.rules.ts'
import { onOnePage, type Person } from '#server/domain/personal-part.ts'

export type SecondFactor = {
  userId: string
  sealedSecret: Buffer
  isConfirmed: boolean
  lastStep: number
}

export async function findSecondFactor(db: Db | Tx, userId: string): Promise<SecondFactor | undefined> {
  const row = await db
    .selectFrom('second_factor')
    .select(['sealed_secret', 'confirmed_at', 'last_step'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    userId,
    sealedSecret: row.sealed_secret,
    isConfirmed: row.confirmed_at !== null,
    lastStep: Number(row.last_step),
  }
}

/** Puts a secret in place of one that was never confirmed; false when one was. */
export async function replaceSecret(
  db: Db,
  { userId, sealedSecret }: { userId: string; sealedSecret: Buffer },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO second_factor (user_id, sealed_secret) VALUES (${userId}::bigint, ${sealedSecret})
    ON CONFLICT (user_id) DO UPDATE
      SET sealed_secret = excluded.sealed_secret, made_at = clock_timestamp(), last_step = 0
      WHERE second_factor.confirmed_at IS NULL`.execute(db)
  return numAffectedRows === 1n
}

/** False when this secret was confirmed already, or is no longer the one. */
export async function markConfirmed(
  tx: Tx,
  { userId, sealedSecret, step }: { userId: string; sealedSecret: Buffer; step: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE second_factor SET confirmed_at = clock_timestamp(), last_step = ${step}
     WHERE user_id = ${userId}::bigint AND sealed_secret = ${sealedSecret} AND confirmed_at IS NULL`.execute(
    tx,
  )
  return numAffectedRows === 1n
}

/** Of many who bring the code of one step, one takes it. */
export async function takeStep(tx: Tx, { userId, step }: { userId: string; step: number }): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE second_factor SET last_step = ${step}
     WHERE user_id = ${userId}::bigint AND confirmed_at IS NOT NULL
       AND (last_step < ${step} OR last_step > ${step + STEPS_AHEAD_MAX})`.execute(tx)
  return numAffectedRows === 1n
}

/** Of those of the given users whose second factor is on. */
export async function selectConfirmed(
  db: Db | Tx,
  userIds: readonly string[],
): Promise<{ userId: string; sealedSecret: Buffer }[]> {
  return db
    .selectFrom('second_factor')
    .select(['user_id as userId', 'sealed_secret as sealedSecret'])
    .where('user_id', 'in', userIds)
    .where('confirmed_at', 'is not', null)
    .execute()
}

/** Its recovery codes go with it. False when there was none that counted. */
export async function deleteSecondFactor(tx: Tx, userId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('second_factor')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

type HashedCode = { userId: string; codeHash: Buffer }

export async function insertRecoveryCodes(tx: Tx, codes: readonly HashedCode[]): Promise<void> {
  await tx
    .insertInto('recovery_code')
    .values(codes.map(({ userId, codeHash }) => ({ user_id: userId, code_hash: codeHash })))
    .execute()
}

export async function countRecoveryCodes(db: Db | Tx, userId: string): Promise<number> {
  return countRows(db.selectFrom('recovery_code').where('user_id', '=', userId).where('used_at', 'is', null))
}

/** The one of these that the player has left. */
export async function findRecoveryCode(
  db: Db,
  { userId, codeHashes }: { userId: string; codeHashes: Buffer[] },
): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('recovery_code')
    .select('code_hash')
    .where('user_id', '=', userId)
    .where('code_hash', 'in', codeHashes)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return row?.code_hash
}

export async function takeRecoveryCode(tx: Tx, { userId, codeHash }: HashedCode): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE recovery_code SET used_at = clock_timestamp()
     WHERE user_id = ${userId}::bigint AND code_hash = ${codeHash} AND used_at IS NULL`.execute(tx)
  return numAffectedRows === 1n
}

export const exportSecondFactor = onOnePage(
  ({ id }) => sql`
    SELECT made_at, confirmed_at,
           (SELECT count(*)::integer FROM recovery_code c WHERE c.user_id = f.user_id AND c.used_at IS NULL)
             AS recovery_codes_left
      FROM second_factor f WHERE user_id = ${id}::bigint`,
)

/** The recovery codes go with it. */
export async function eraseSecondFactor(tx: Tx, { id }: Person): Promise<void> {
  await tx.deleteFrom('second_factor').where('user_id', '=', id).execute()
}
