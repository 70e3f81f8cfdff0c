import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { Vault } from '#server/platform/db/vault.ts'
import { insertMail, insertMailWithNext } from './mail.queries.ts'

/** The address of a mail and the player it greets. */
export type Addressee = { to: string; username: string }

/** The content of a mail to one player; its layout, as text and as HTML, is made when it is sent. */
export type Mail = Addressee & {
  /** What it is about, for logs and figures: `password-reset`, `new-device`. Lower-case words with hyphens. */
  kind: string
  subject: string
  /** Vietnamese sentences, plain text. */
  paragraphs: readonly string[]
  /** A one-time code, shown large. */
  code?: string
  /** A button; its address is also part of the text. */
  action?: { label: string; url: string }
  /** Closing sentences, such as what to do if it was somebody else. */
  closing?: readonly string[]
  /** How long its content is valid; it is not sent after that. A mail without it may come a day late. */
  usefulMinutes?: number
}

/** Whether a mail is neither sent nor given up yet. */
export { isInOutbox as isMailWaiting } from './mail.queries.ts'

export const SEAL_PURPOSE = 'mail'

/**
 * Stores a mail in the outbox, in the caller's transaction when there is one: it is sent if and only if that commits, and
 * no request waits for the mail server. Answers its id.
 */
export async function queueMail(vault: Vault, db: Db | Tx, mail: Mail): Promise<string> {
  return insertMail(db, await sealed(vault, mail))
}

/** As `queueMail`, for money: one wait less, for nobody asks whether this mail was sent. */
export async function queueMailWithNext(vault: Vault, tx: Tx, mail: Mail): Promise<void> {
  await insertMailWithNext(tx, await sealed(vault, mail))
}

const sealed = async (vault: Vault, mail: Mail) => ({
  kind: mail.kind,
  sealed: await vault.seal(SEAL_PURPOSE, JSON.stringify(mail)),
})
