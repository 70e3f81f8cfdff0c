import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { BATCH_ROWS, isFullBatch } from '#server/platform/db/batch.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { FAILED_SIGN_INS_A_DAY_MAX, SIGN_IN_DAYS_KEPT, type SignInOutcome } from './sign-ins.rules.ts'

/** From where and with what somebody signs in, in the form that is kept. */
export type Origin = { userId: string; userAgent: string; place: string; originHash: Buffer }

/** Whether the player signed in before at all, and from this origin. */
export async function findPastSignIns(
  tx: Tx,
  { userId, originHash }: Origin,
): Promise<{ hasAny: boolean; hasThisOrigin: boolean }> {
  const { rows } = await sql<{ hasAny: boolean; hasThisOrigin: boolean }>`
    SELECT EXISTS (SELECT FROM sign_in WHERE user_id = ${userId}::bigint AND outcome = 'succeeded') AS "hasAny",
           EXISTS (SELECT FROM sign_in WHERE user_id = ${userId}::bigint AND outcome = 'succeeded'
                      AND origin_hash = ${originHash}) AS "hasThisOrigin"`.execute(tx)
  return rows[0] as { hasAny: boolean; hasThisOrigin: boolean }
}

export async function insertSignIn(tx: Tx, origin: Origin & { isNewDevice: boolean }): Promise<void> {
  const { userId, userAgent, place, originHash, isNewDevice } = origin
  await sql`
    INSERT INTO sign_in (user_id, outcome, user_agent, place, origin_hash, is_new_device)
    VALUES (${userId}::bigint, 'succeeded', ${userAgent}, ${place}, ${originHash}, ${isNewDevice})`.execute(
    tx,
  )
}

/** Writes nothing above the day's maximum, so that guessing cannot fill the table. */
export async function insertFailedSignIn(
  db: Db,
  origin: Origin & { outcome: Exclude<SignInOutcome, 'succeeded'> },
): Promise<void> {
  const { userId } = origin
  await sql`
    INSERT INTO sign_in (user_id, outcome, user_agent, place, origin_hash, is_new_device)
    SELECT ${userId}::bigint, ${origin.outcome}, ${origin.userAgent}, ${origin.place}, ${origin.originHash}::bytea, false
     WHERE (SELECT count(*) FROM sign_in
             WHERE user_id = ${userId}::bigint AND outcome <> 'succeeded' AND at > now() - interval '1 day')
           < ${FAILED_SIGN_INS_A_DAY_MAX}`.execute(db)
}

const isKept = sql<boolean>`at > now() - make_interval(days => ${SIGN_IN_DAYS_KEPT}::integer)`

export type SignInRow = {
  id: string
  at: Date
  outcome: SignInOutcome
  userAgent: string
  place: string
  isNewDevice: boolean
}

const SIGN_IN = sql`id, at, outcome, user_agent AS "userAgent", place, is_new_device AS "isNewDevice"`

export async function selectSignIns(
  db: Db,
  { userId, limit, offset }: { userId: string; limit: number; offset: number },
): Promise<SignInRow[]> {
  const { rows } = await sql<SignInRow>`
    SELECT ${SIGN_IN} FROM sign_in
     WHERE user_id = ${userId}::bigint AND ${isKept}
     ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}`.execute(db)
  return rows
}

export async function selectSignInsBefore(
  db: Db,
  { userId, before, limit }: { userId: string; before: string | undefined; limit: number },
): Promise<SignInRow[]> {
  const { rows } = await sql<SignInRow>`
    SELECT ${SIGN_IN} FROM sign_in
     WHERE user_id = ${userId}::bigint AND ${isKept} AND (${before ?? null}::bigint IS NULL OR id < ${before ?? null}::bigint)
     ORDER BY id DESC LIMIT ${limit}`.execute(db)
  return rows
}

export async function countSignIns(db: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    SELECT count(*) FROM sign_in WHERE user_id = ${userId}::bigint AND ${isKept}`.execute(db)
  return Number(rows[0]?.count)
}

/** Removes one batch of sign-ins that are no longer kept; true when there may be more. */
export async function removeOldSignIns({ db }: { db: Db }): Promise<boolean> {
  const deleted = await sql`
    DELETE FROM sign_in WHERE id IN (
      SELECT id FROM sign_in WHERE at <= now() - make_interval(days => ${SIGN_IN_DAYS_KEPT}::integer)
       ORDER BY at LIMIT ${BATCH_ROWS})`.execute(db)
  return isFullBatch(deleted)
}
