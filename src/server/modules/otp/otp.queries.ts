import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { isPast, secondsSince } from '#server/platform/db/due.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { Vault } from '#server/platform/db/vault.ts'
import type { Person } from '#server/domain/personal-part.ts'
import {
  CODE_AGE_MINUTES_MAX,
  VISITOR,
  WRONG_TRIES_MAX,
  type CodeTarget,
  type StoredCode,
} from './codes.rules.ts'
import { CODES_COUNTED, type SmsOutcome } from './sms.rules.ts'
import { sweep } from '#server/platform/queues/sweeping.ts'
import type { Log } from '#server/platform/log/log.ts'

/** By which the table knows a target. */
export function targetHash(vault: Vault, target: CodeTarget): Promise<Buffer> {
  return vault.hash(`code target ${target.channel}`, textOf(target))
}

function textOf(target: CodeTarget): string {
  if (target.channel === 'phone') return target.phone
  if (target.channel === 'game') return target.account.toLowerCase()
  return `${target.userId}:${target.email.toLowerCase()}`
}

/** By which the table knows a sender. */
export const senderHash = (vault: Vault, phone: string): Promise<Buffer> => vault.hash('sms sender', phone)

const DAY_SECONDS = 86_400

export type CodeKey = { channel: CodeTarget['channel']; target: Buffer }
type HashedCode = CodeKey & { codeHash: Buffer }

/** The count of the day's tries stays: requesting a new code does not reset it. */
export async function replaceCode(db: Db | Tx, { channel, target, codeHash }: HashedCode): Promise<void> {
  await sql`
    INSERT INTO one_time_code (channel, target, code_hash) VALUES (${channel}, ${target}, ${codeHash})
    ON CONFLICT (channel, target) DO UPDATE
      SET code_hash = excluded.code_hash, made_at = clock_timestamp(), wrong_tries = 0, verified_at = NULL,
          spent_at = NULL`.execute(db)
}

/** Locked, so that of many who bring the right code one finds it unverified. */
export async function lockCode(tx: Tx, { channel, target }: CodeKey): Promise<StoredCode | undefined> {
  const { rows } = await sql<StoredCode>`
    SELECT channel, code_hash AS "codeHash", verified_at IS NOT NULL AS "isVerified", spent_at IS NOT NULL AS "isSpent",
           wrong_tries AS "wrongTries",
           ${secondsSince(sql`made_at`)} AS "ageSeconds",
           CASE WHEN ${isPast(sql`tries_since`, DAY_SECONDS)} THEN 0 ELSE tries_today END AS "triesToday"
      FROM one_time_code WHERE channel = ${channel} AND target = ${target}
       FOR UPDATE`.execute(tx)
  return rows[0]
}

/** What one try leaves behind. `triesToday` counts it; the 24 hours run from the first. */
type TryMark = { triesToday: number; isWrong: boolean; verifies: boolean }

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
       AND (channel <> 'phone' OR verified_at IS NOT NULL) AND spent_at IS NULL AND wrong_tries < ${WRONG_TRIES_MAX}
       AND NOT ${isPast(sql`made_at`, CODE_AGE_MINUTES_MAX * 60)}
       AND (${codeHash}::bytea IS NULL OR code_hash = ${codeHash})`.execute(tx)
  return numAffectedRows === 1n
}

/** Removes one batch of codes that are long dead, once the day of their tries is over too; true when there may be more. */
export const removeOldCodes = (deps: { db: Db; log: Log }): Promise<boolean> =>
  sweep(deps, {
    job: 'old codes',
    table: 'one_time_code',
    isDue: sql`due.made_at < now() - interval '2 days' AND due.tries_since < now() - interval '1 day'`,
    order: sql`due.made_at`,
    skipsLocked: true,
  })

type MessageKey = { provider: string; messageId: string }

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
    SELECT ${secondsSince(sql`received_at`)} AS age
      FROM sms_message
     WHERE sender = ${sender} AND outcome = 'code' AND received_at > statement_timestamp() - interval '1 day'
     ORDER BY received_at DESC LIMIT ${CODES_COUNTED}`.execute(tx)
  return rows.map((row) => row.age)
}

/** A day begins at midnight in Vietnam. */
const today = sql`(statement_timestamp() AT TIME ZONE 'Asia/Ho_Chi_Minh')::date`

export async function readSentToday(tx: Tx, prefix: string): Promise<{ ofPrefix: number; ofAll: number }> {
  const { rows } = await sql<{ prefix: string; sent: number }>`
    SELECT prefix, sent FROM sms_code_day WHERE day = ${today} AND prefix IN (${prefix}, '')`.execute(tx)
  const sentFor = (one: string) => rows.find((row) => row.prefix === one)?.sent ?? 0
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

const DAYS_MAX = 30

/** Removes one batch of the messages and one of the daily counts that are past their time; true when there may be more. */
export async function removeOldMessages(deps: { db: Db; log: Log }): Promise<boolean> {
  const job = 'old messages'
  const areMoreMessages = await sweep(deps, {
    job,
    table: 'sms_message',
    isDue: sql`due.received_at < now() - make_interval(days => ${DAYS_MAX}::integer)`,
    order: sql`due.received_at`,
    skipsLocked: true,
  })
  const areMoreDays = await sweep(deps, {
    job,
    table: 'sms_code_day',
    isDue: sql`due.day < ${today} - ${DAYS_MAX}::integer`,
    order: sql`due.day`,
    skipsLocked: true,
  })
  return areMoreMessages || areMoreDays
}

/** Codes and messages name nobody: they are found by the keyed hash of the phone or the address, as long as it is known. */
export async function eraseCodesOf(
  tx: Tx,
  { id, username, email, phone }: Person,
  { vault }: { vault: Vault },
): Promise<void> {
  const targets: CodeTarget[] = [
    { channel: 'game', account: username },
    ...(email === null ? [] : [id, VISITOR].map((userId) => ({ channel: 'email' as const, userId, email }))),
    ...(phone === null ? [] : [{ channel: 'phone' as const, phone }]),
  ]
  for (const target of targets) {
    const hash = await targetHash(vault, target)
    await tx
      .deleteFrom('one_time_code')
      .where('channel', '=', target.channel)
      .where('target', '=', hash)
      .execute()
  }
  if (phone === null) return
  const sender = await senderHash(vault, phone)
  await tx.deleteFrom('sms_message').where('sender', '=', sender).execute()
}
