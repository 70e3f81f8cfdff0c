import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { Vault } from '#server/platform/vault/vault.ts'
import type { Mail } from './mail.ts'
import { insertMail } from './mail.queries.ts'

export const SEAL_PURPOSE = 'mail'

/**
 * Stores a mail in the outbox, in the caller's transaction when there is one: it is sent if and only if that commits, and
 * no request waits for the mail server.
 */
export async function queueMail(vault: Vault, db: Db | Tx, mail: Mail): Promise<void> {
  await insertMail(db, { kind: mail.kind, sealed: await vault.seal(SEAL_PURPOSE, JSON.stringify(mail)) })
}
