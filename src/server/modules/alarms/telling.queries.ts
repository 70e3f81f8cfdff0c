import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { Told } from './alarms.rules.ts'

export type Notice = { name: string; told: Told | null }

/**
 * The notices of all alarms, locked; null when another process has looked within so many seconds, or is just looking:
 * of several workers one speaks.
 */
export async function takeTurnToTell(
  tx: Tx,
  { names, everySeconds }: { names: readonly string[]; everySeconds: number },
): Promise<Notice[] | null> {
  await sql`INSERT INTO alarm_notice (name) SELECT unnest(${[...names]}::text[]) ON CONFLICT DO NOTHING`.execute(
    tx,
  )
  const { rows } = await sql<{
    name: string
    began_at: Date | null
    told_count: number | null
    told_at: Date | null
  }>`
    SELECT name, began_at, told_count, told_at FROM alarm_notice
     WHERE name = ANY(${[...names]}) AND looked_at <= now() - make_interval(secs => ${everySeconds})
     ORDER BY name FOR UPDATE SKIP LOCKED`.execute(tx)
  if (rows.length < names.length) return null
  await sql`UPDATE alarm_notice SET looked_at = now() WHERE name = ANY(${[...names]})`.execute(tx)
  return rows.map(({ name, began_at, told_count, told_at }) => ({
    name,
    told:
      began_at === null || told_count === null || told_at === null
        ? null
        : { beganAt: began_at, count: told_count, toldAt: told_at },
  }))
}

/** Keeps what is now told of an alarm, and the message in the place of one that may still wait. */
export async function keepTold(
  tx: Tx,
  name: string,
  { told, message }: { told: Told | null; message: object },
): Promise<void> {
  await tx
    .updateTable('alarm_notice')
    .set({
      began_at: told?.beganAt ?? null,
      told_count: told?.count ?? null,
      told_at: told?.toldAt ?? null,
      message_id: sql<string>`gen_random_uuid()`,
      message: JSON.stringify(message),
      attempt: 0,
      next_attempt_at: sql<Date>`now()`,
      lease_until: null,
    })
    .where('name', '=', name)
    .execute()
}

export type DueMessage = { name: string; id: string; message: object; attempt: number }

/** Leases what is due, so that no other worker sends it meanwhile. */
export async function claimMessages(db: Db, leaseSeconds: number): Promise<DueMessage[]> {
  const { rows } = await sql<DueMessage>`
    UPDATE alarm_notice
       SET attempt = attempt + 1, lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
     WHERE message IS NOT NULL AND next_attempt_at <= now() AND (lease_until IS NULL OR lease_until < now())
    RETURNING name, message_id AS id, message, attempt`.execute(db)
  return rows
}

/** Ends a message that was taken or is given up, unless a newer one has replaced it. */
export async function dropMessage(db: Db, { name, id }: DueMessage): Promise<void> {
  await db
    .updateTable('alarm_notice')
    .set({ message_id: null, message: null, lease_until: null })
    .where('name', '=', name)
    .where('message_id', '=', id)
    .execute()
}

export async function postponeMessage(db: Db, { name, id }: DueMessage, seconds: number): Promise<void> {
  await db
    .updateTable('alarm_notice')
    .set({
      lease_until: null,
      next_attempt_at: sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`,
    })
    .where('name', '=', name)
    .where('message_id', '=', id)
    .execute()
}
