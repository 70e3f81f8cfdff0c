import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { BATCH_ROWS, isFullBatch } from '#server/platform/jobs/loop.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { CODES_LOOKED_AT, type SmsOutcome } from './sms.rules.ts'

export type MessageKey = { provider: string; messageId: string }

/** False when the message is known. One that is being answered at this moment is waited for. */
export async function insertMessage(
  tx: Tx,
  { provider, messageId, sender }: MessageKey & { sender: Buffer },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('sms_message')
    .values({ provider, message_id: messageId, sender })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function getSealedReply(tx: Tx, { provider, messageId }: MessageKey): Promise<Buffer | null> {
  const row = await tx
    .selectFrom('sms_message')
    .select('sealed_reply')
    .where('provider', '=', provider)
    .where('message_id', '=', messageId)
    .executeTakeFirstOrThrow()
  return row.sealed_reply
}

export async function updateReply(
  tx: Tx,
  { provider, messageId, outcome, sealedReply }: MessageKey & { outcome: SmsOutcome; sealedReply: Buffer },
): Promise<void> {
  await tx
    .updateTable('sms_message')
    .set({ outcome, sealed_reply: sealedReply })
    .where('provider', '=', provider)
    .where('message_id', '=', messageId)
    .execute()
}

/** Messages of one phone take turns, so that each sees the code that the one before it brought. */
export async function lockSender(tx: Tx, sender: Buffer): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${sender.readBigInt64BE().toString()}::bigint)`.execute(tx)
}

/** How many seconds ago a phone had its codes of the last 24 hours, the newest first. */
export async function listCodeAges(tx: Tx, sender: Buffer): Promise<number[]> {
  const { rows } = await sql<{ age: number }>`
    SELECT extract(epoch FROM statement_timestamp() - received_at)::float8 AS age
      FROM sms_message
     WHERE sender = ${sender} AND outcome = 'code' AND received_at > statement_timestamp() - interval '1 day'
     ORDER BY received_at DESC LIMIT ${CODES_LOOKED_AT}`.execute(tx)
  return rows.map((row) => row.age)
}

/** A day begins at midnight in Vietnam. */
const today = sql`(statement_timestamp() AT TIME ZONE 'Asia/Ho_Chi_Minh')::date`

export async function readSentToday(tx: Tx, prefix: string): Promise<{ ofPrefix: number; ofAll: number }> {
  const { rows } = await sql<{ prefix: string; sent: number }>`
    SELECT prefix, sent FROM sms_code_day WHERE day = ${today} AND prefix IN (${prefix}, '')`.execute(tx)
  const sentFor = (wanted: string) => rows.find((row) => row.prefix === wanted)?.sent ?? 0
  return { ofPrefix: sentFor(prefix), ofAll: sentFor('') }
}

/** Counts one code; returns how many all numbers had today, each figure once. The last statement of its transaction. */
export async function countSent(tx: Tx, prefix: string): Promise<number> {
  const { rows } = await sql<{ prefix: string; sent: number }>`
    INSERT INTO sms_code_day AS counted (day, prefix, sent) VALUES (${today}, ${prefix}, 1), (${today}, '', 1)
    ON CONFLICT (day, prefix) DO UPDATE SET sent = counted.sent + 1
    RETURNING prefix, sent`.execute(tx)
  return rows.find((row) => row.prefix === '')?.sent ?? 0
}

export async function countVerified(db: Db): Promise<void> {
  await sql`
    INSERT INTO sms_code_day AS counted (day, prefix, verified) VALUES (${today}, '', 1)
    ON CONFLICT (day, prefix) DO UPDATE SET verified = counted.verified + 1`.execute(db)
}

export async function readToday(db: Db): Promise<{ sent: number; verified: number }> {
  const { rows } = await sql<{ sent: number; verified: number }>`
    SELECT sent, verified FROM sms_code_day WHERE day = ${today} AND prefix = ''`.execute(db)
  return rows[0] ?? { sent: 0, verified: 0 }
}

const KEPT_DAYS = 30

/** Removes one batch of the messages and one of the daily counts that are past their time; true when there may be more. */
export async function removeOldMessages({ db }: { db: Db }): Promise<boolean> {
  const deletedMessages = await sql`
    DELETE FROM sms_message WHERE (provider, message_id) IN (
      SELECT provider, message_id FROM sms_message
       WHERE received_at < now() - make_interval(days => ${KEPT_DAYS}::integer)
       ORDER BY received_at LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED)`.execute(db)
  const deletedDays = await sql`
    DELETE FROM sms_code_day WHERE (day, prefix) IN (
      SELECT day, prefix FROM sms_code_day WHERE day < ${today} - ${KEPT_DAYS}::integer
       ORDER BY day LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED)`.execute(db)
  return isFullBatch(deletedMessages) || isFullBatch(deletedDays)
}
