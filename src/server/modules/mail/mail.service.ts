import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { Vault } from '#server/platform/db/vault.ts'
import type { Mail } from './mail-look.ts'
import { insertMail, insertMailWithNext, SEAL_PURPOSE } from './mail.queries.ts'

export { countWaitingMail, personalMail, isInOutbox as isMailWaiting } from './mail.queries.ts'

/** Whether a mail is neither sent nor given up yet. */

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

const sealed = async (vault: Vault, mail: Mail) => ({
  kind: mail.kind,
  sealed: await vault.seal(SEAL_PURPOSE, JSON.stringify(mail)),
})
