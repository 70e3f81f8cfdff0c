import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { countRows } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { inPages, onOnePage, type Person } from '#server/domain/personal-part.ts'
import {
  ADDRESS_DAYS_MAX,
  COOKIE_DAYS_MAX,
  FAILED_SIGN_INS_A_DAY_MAX,
  KNOWN_DEVICES_MAX,
  RENEWED_AFTER_HOURS,
  SIGN_IN_DAYS_MAX,
  type SignInOutcome,
} from './sessions.rules.ts'
import { sweep } from '#server/platform/queues/sweeping.ts'
import type { Log } from '#server/platform/log/log.ts'

/** From where and with what somebody signs in, in the form that is stored. */
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

const isStored = sql<boolean>`at > now() - make_interval(days => ${SIGN_IN_DAYS_MAX}::integer)`

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
     WHERE user_id = ${userId}::bigint AND ${isStored}
     ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}`.execute(db)
  return rows
}

export async function selectSignInsBefore(
  db: Db,
  { userId, before, limit }: { userId: string; before: string | undefined; limit: number },
): Promise<SignInRow[]> {
  const { rows } = await sql<SignInRow>`
    SELECT ${SIGN_IN} FROM sign_in
     WHERE user_id = ${userId}::bigint AND ${isStored} AND (${before ?? null}::bigint IS NULL OR id < ${before ?? null}::bigint)
     ORDER BY id DESC LIMIT ${limit}`.execute(db)
  return rows
}

export async function countSignIns(db: Db, userId: string): Promise<number> {
  return countRows(db.selectFrom('sign_in').where('user_id', '=', userId).where(isStored))
}

/** Removes one batch of sign-ins that are past their time; true when there may be more. */
export const removeOldSignIns = (deps: { db: Db; log: Log }): Promise<boolean> =>
  sweep(deps, {
    job: 'old sign-ins',
    table: 'sign_in',
    isDue: sql`due.at <= now() - make_interval(days => ${SIGN_IN_DAYS_MAX}::integer)`,
    order: sql`due.at`,
  })

export type DeviceHashes = { cookieHash: Buffer; addressHash: Buffer }

type Recognised = { isName: boolean; isCookieKnown: boolean; isAddressKnown: boolean }

/** By name, and in one statement, so that an unknown name takes as long as a player's. */
export async function findKnownDevice(
  db: Db,
  { usernameKey, cookieHash, addressHash }: DeviceHashes & { usernameKey: string },
): Promise<Recognised> {
  const { rows } = await sql<Recognised>`
    SELECT EXISTS (SELECT FROM users WHERE username_key = ${usernameKey}) AS "isName",
           EXISTS (
             SELECT FROM users u JOIN known_device d ON d.user_id = u.id
              WHERE u.username_key = ${usernameKey} AND d.kind = 'cookie' AND d.hash = ${cookieHash}
                AND d.last_seen_at > now() - make_interval(days => ${COOKIE_DAYS_MAX})) AS "isCookieKnown",
           EXISTS (
             SELECT FROM users u JOIN known_device d ON d.user_id = u.id
              WHERE u.username_key = ${usernameKey} AND d.kind = 'address' AND d.hash = ${addressHash}
                AND d.last_seen_at > now() - make_interval(days => ${ADDRESS_DAYS_MAX})) AS "isAddressKnown"
    `.execute(db)
  return rows[0] as Recognised
}

export async function hasKnownCookie(
  tx: Tx,
  { userId, cookieHash }: { userId: string; cookieHash: Buffer },
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM known_device
     WHERE user_id = ${userId}::bigint AND kind = 'cookie' AND hash = ${cookieHash}
       AND last_seen_at > now() - make_interval(days => ${COOKIE_DAYS_MAX})`.execute(tx)
  return rows.length === 1
}

export async function isCookieOfPhone(
  db: Db,
  { phone, cookieHash }: { phone: string; cookieHash: Buffer },
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM user_contacts c JOIN known_device d ON d.user_id = c.user_id
     WHERE c.phone = ${phone} AND c.phone_verified_at IS NOT NULL AND d.kind = 'cookie' AND d.hash = ${cookieHash}
       AND d.last_seen_at > now() - make_interval(days => ${COOKIE_DAYS_MAX})`.execute(db)
  return rows.length === 1
}

/** Notes that a player is at this address, and on this device unless it is the game that tells; returns how many rows that changed. */
export async function upsertKnownDevice(
  db: Db | Tx,
  { userId, cookieHash, addressHash }: { userId: string; cookieHash: Buffer | null; addressHash: Buffer },
): Promise<number> {
  const { numAffectedRows } = await sql`
    INSERT INTO known_device (user_id, kind, hash)
    SELECT ${userId}::bigint, kind, hash
      FROM (VALUES ('cookie', ${cookieHash}::bytea), ('address', ${addressHash}::bytea)) AS here (kind, hash)
     WHERE hash IS NOT NULL
    ON CONFLICT (user_id, kind, hash) DO UPDATE SET last_seen_at = now()
     WHERE known_device.last_seen_at < now() - make_interval(hours => ${RENEWED_AFTER_HOURS})`.execute(db)
  return Number(numAffectedRows)
}

/** Leaves a player the newest of each kind. */
export async function trimKnownDevices(db: Db | Tx, userId: string): Promise<void> {
  await sql`
    DELETE FROM known_device d USING (
      SELECT kind, hash, row_number() OVER (PARTITION BY kind ORDER BY last_seen_at DESC, hash) AS place
        FROM known_device WHERE user_id = ${userId}::bigint) ranked
     WHERE d.user_id = ${userId}::bigint AND d.kind = ranked.kind AND d.hash = ranked.hash
       AND ranked.place > ${KNOWN_DEVICES_MAX}`.execute(db)
}

/** Removes one batch of devices that were not used for long; true when there may be more. */
export const forgetOldDevices = (deps: { db: Db; log: Log }): Promise<boolean> =>
  sweep(deps, {
    job: 'forgotten devices',
    table: 'known_device',
    isDue: sql`(
      (due.kind = 'cookie' AND due.last_seen_at < now() - make_interval(days => ${COOKIE_DAYS_MAX}))
      OR (due.kind = 'address' AND due.last_seen_at < now() - make_interval(days => ${ADDRESS_DAYS_MAX})))`,
    skipsLocked: true,
  })

export const exportSignIns = inPages(
  ({ id }, { after, limit }) => sql`
    SELECT id::text AS cursor, at, outcome, user_agent, place, is_new_device FROM sign_in
     WHERE user_id = ${id}::bigint AND id > coalesce(${after}::bigint, 0) ORDER BY id LIMIT ${limit}`,
)

export const exportKnownDevices = onOnePage(
  ({ id }) => sql`
    SELECT kind, first_seen_at, last_seen_at FROM known_device
     WHERE user_id = ${id}::bigint ORDER BY first_seen_at`,
)

export async function eraseSignIns(tx: Tx, { id }: Person): Promise<void> {
  await tx.deleteFrom('sign_in').where('user_id', '=', id).execute()
  await tx.deleteFrom('known_device').where('user_id', '=', id).execute()
}
