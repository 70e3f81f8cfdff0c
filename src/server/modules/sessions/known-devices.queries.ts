import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { BATCH_ROWS, isFullBatch } from '#server/platform/db/batch.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import {
  ADDRESS_DAYS_MAX,
  COOKIE_DAYS_MAX,
  KNOWN_DEVICES_MAX,
  SEEN_AGAIN_HOURS,
} from './known-devices.rules.ts'

export type DeviceHashes = { cookieHash: Buffer; addressHash: Buffer }

/** By name, and in one statement, so that an unknown name takes as long as a player's. */
export async function findKnownDevice(
  db: Db,
  { usernameKey, cookieHash, addressHash }: DeviceHashes & { usernameKey: string },
): Promise<{ isCookieKnown: boolean; isAddressKnown: boolean }> {
  const { rows } = await sql<{ isCookieKnown: boolean; isAddressKnown: boolean }>`
    SELECT EXISTS (
             SELECT FROM users u JOIN known_device d ON d.user_id = u.id
              WHERE u.username_key = ${usernameKey} AND d.kind = 'cookie' AND d.hash = ${cookieHash}
                AND d.last_seen_at > now() - make_interval(days => ${COOKIE_DAYS_MAX})) AS "isCookieKnown",
           EXISTS (
             SELECT FROM users u JOIN known_device d ON d.user_id = u.id
              WHERE u.username_key = ${usernameKey} AND d.kind = 'address' AND d.hash = ${addressHash}
                AND d.last_seen_at > now() - make_interval(days => ${ADDRESS_DAYS_MAX})) AS "isAddressKnown"
    `.execute(db)
  return rows[0] as { isCookieKnown: boolean; isAddressKnown: boolean }
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

/** Notes that a player is at this device and address; returns how many rows that changed. */
export async function upsertKnownDevice(
  db: Db | Tx,
  { userId, cookieHash, addressHash }: DeviceHashes & { userId: string },
): Promise<number> {
  const { numAffectedRows } = await sql`
    INSERT INTO known_device (user_id, kind, hash)
    VALUES (${userId}::bigint, 'cookie', ${cookieHash}), (${userId}::bigint, 'address', ${addressHash})
    ON CONFLICT (user_id, kind, hash) DO UPDATE SET last_seen_at = now()
     WHERE known_device.last_seen_at < now() - make_interval(hours => ${SEEN_AGAIN_HOURS})`.execute(db)
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

/** Removes one batch of devices that were not seen for long; true when there may be more. */
export async function forgetOldDevices({ db }: { db: Db }): Promise<boolean> {
  const deleted = await sql`
    DELETE FROM known_device WHERE (user_id, kind, hash) IN (
      SELECT user_id, kind, hash FROM known_device
       WHERE (kind = 'cookie' AND last_seen_at < now() - make_interval(days => ${COOKIE_DAYS_MAX}))
          OR (kind = 'address' AND last_seen_at < now() - make_interval(days => ${ADDRESS_DAYS_MAX}))
       LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED)`.execute(db)
  return isFullBatch(deleted)
}
