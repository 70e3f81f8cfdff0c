import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { isDue } from '#server/platform/db/due.ts'
import { countRows, hasRows } from '#server/platform/db/list.ts'
import { notify } from '#server/domain/notices.ts'
import { sendWithNext, type Tx } from '#server/platform/db/transaction.ts'
import type { Vault } from '#server/platform/db/vault.ts'
import type { Person } from '#server/domain/personal-part.ts'
import type { Mail } from './mail-layout.ts'
import { DELAY_SECONDS_MAX } from './mail.rules.ts'
import type { DuePart } from '#server/platform/queues/claiming.ts'

/** Content and receiver of a mail are sealed with it. */
export const SEAL_PURPOSE = 'mail'

/** Notifies the senders. Answers the mail's id. */
export async function insertMail(
  db: Db | Tx,
  { kind, sealed }: { kind: string; sealed: Buffer },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO mail_outbox (kind, sealed) VALUES (${kind}, ${sealed}) RETURNING id`.execute(db)
  notify(db, 'mail_due')
  return rows[0]?.id ?? ''
}

/** The same for a caller who need not know its id: it goes with the next statement. */
export async function insertMailWithNext(
  tx: Tx,
  { kind, sealed }: { kind: string; sealed: Buffer },
): Promise<void> {
  const insert = sql`INSERT INTO mail_outbox (kind, sealed) VALUES (${kind}, ${sealed})`
  await sendWithNext(tx, insert.compile(tx))
  notify(tx, 'mail_due')
}

export async function isInOutbox(db: Db | Tx, id: string): Promise<boolean> {
  return hasRows(db.selectFrom('mail_outbox').where('id', '=', id))
}

/** The right to send one mail and to record the result, until the lease ends. */
export type ClaimedMail = {
  id: string
  kind: string
  sealed: Buffer
  createdAt: Date
  ageSeconds: number
  /** Counts the leases; distinguishes this lease from a later one of the same mail. */
  attempt: number
}

/** The longest due first. */
export const dueMail = ({ limit, isWanted }: DuePart, leaseSeconds: number) => sql<{ id: string }>`
  SELECT id FROM mail_outbox
   WHERE ${isDue(sql`next_attempt_at`, DELAY_SECONDS_MAX)}
     AND (lease_until IS NULL OR ${isDue(sql`lease_until`, leaseSeconds)}) AND ${isWanted(sql`mail_outbox.id`)}
   ORDER BY next_attempt_at LIMIT ${limit}`

/** Leases due mails, skipping what another worker is just taking. */
export async function claimDueMail(db: Db, part: DuePart, leaseSeconds: number): Promise<ClaimedMail[]> {
  const { rows } = await sql<ClaimedMail>`
    WITH due AS (${dueMail(part, leaseSeconds)} FOR UPDATE SKIP LOCKED)
    UPDATE mail_outbox
       SET attempt = attempt + 1, lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      FROM due
     WHERE mail_outbox.id = due.id
    RETURNING mail_outbox.id, kind, sealed, created_at AS "createdAt", attempt,
      extract(epoch FROM now() - created_at)::float8 AS "ageSeconds"`.execute(db)
  return rows
}

type Claim = Pick<ClaimedMail, 'id' | 'attempt'>

/** Deletes a mail from the outbox; false when another worker has it by now. */
export async function deleteClaimedMail(db: Db, { id, attempt }: Claim): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('mail_outbox')
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Returns a mail to the outbox to be tried again later; false when another worker has it by now. */
export async function postponeClaimedMail(
  db: Db,
  { id, attempt }: Claim,
  { delaySeconds, note }: { delaySeconds: number; note: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mail_outbox')
    .set({
      lease_until: null,
      next_attempt_at: sql<Date>`clock_timestamp() + make_interval(secs => ${delaySeconds})`,
      last_error: note,
    })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function countMails(db: Db): Promise<number> {
  return countRows(db.selectFrom('mail_outbox'))
}

const PAGE_ROWS = 500

async function selectSealed(tx: Tx, after: string): Promise<{ id: string; sealed: Buffer }[]> {
  const { rows } = await sql<{ id: string; sealed: Buffer }>`
    SELECT id, sealed FROM mail_outbox WHERE id > ${after}::bigint ORDER BY id LIMIT ${PAGE_ROWS}`.execute(tx)
  return rows
}

/** Mail that waits is sealed and names its receiver inside: every one is opened. The outbox is short. */
export const eraseMailOf = (
  tx: Tx,
  { username, email }: Person,
  { vault }: { vault: Vault },
): Promise<void> => deleteMails(tx, vault, (mail) => mail.to === email || mail.username === username)

/** Deletes what waits and fits. What cannot be opened fits nobody: nobody else can read it either, and it is given up within a day. */
export async function deleteMails(tx: Tx, vault: Vault, fits: (mail: Mail) => boolean): Promise<void> {
  for (let page = await selectSealed(tx, '0'); page.length > 0;) {
    const fitting: string[] = []
    for (const { id, sealed } of page) {
      const text = await vault.open(SEAL_PURPOSE, sealed).catch(() => null)
      if (text !== null && fits(JSON.parse(text) as Mail)) fitting.push(id)
    }
    if (fitting.length > 0)
      await sql`DELETE FROM mail_outbox WHERE id = ANY(${fitting}::bigint[])`.execute(tx)
    page = await selectSealed(tx, page.at(-1)?.id ?? '0')
  }
}
