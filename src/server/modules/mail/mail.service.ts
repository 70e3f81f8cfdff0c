import type { PersonalPart } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { Vault } from '#server/platform/db/vault.ts'
import type { Mail } from './mail-layout.ts'
import {
  countMails,
  deleteMails,
  eraseMailOf,
  insertMail,
  insertMailWithNext,
  isInOutbox,
  SEAL_PURPOSE,
} from './mail.queries.ts'

export const personalMail: PersonalPart = { lists: {}, erase: eraseMailOf }

/** Whether a mail is neither sent nor given up yet: then it is in the outbox. */
export const isMailWaiting = (db: Db | Tx, id: string): Promise<boolean> => isInOutbox(db, id)

/** How many mails are neither sent nor given up. */
export const countWaitingMail = (db: Db): Promise<number> => countMails(db)

/**
 * Stores a mail in the outbox, in the caller's transaction when there is one: it is sent if and only if that commits, and
 * no request waits for the mail server. Answers its id.
 */
export async function queueMail(vault: Vault, db: Db | Tx, mail: Mail): Promise<string> {
  return insertMail(db, await sealed(vault, mail))
}

/** As `queueMail` without the id, for transactions of money: saves a round trip to the database. */
export async function queueMailWithNext(vault: Vault, tx: Tx, mail: Mail): Promise<void> {
  await insertMailWithNext(tx, await sealed(vault, mail))
}

/** Takes back mails of these kinds that lead to a page and were not sent yet: what they tell is over. */
export const withdrawMails = (
  tx: Tx,
  vault: Vault,
  { kinds, path }: { kinds: readonly string[]; path: string },
): Promise<void> =>
  deleteMails(tx, vault, ({ kind, action }) => kinds.includes(kind) && action?.url.endsWith(path) === true)

const sealed = async (vault: Vault, mail: Mail) => ({
  kind: mail.kind,
  sealed: await vault.seal(SEAL_PURPOSE, JSON.stringify(mail)),
})
