import { createHmac } from 'node:crypto'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { AuditEntry } from './audit-entry.ts'
import { findAuditKey, insertAudit, listChainFaults, type ChainFault } from './audit.queries.ts'

/**
 * Writes one row of the audit trail inside the act's own transaction, so that there is no act without its row.
 * Writers take turns on the head of the chain: keep it the last statement of a transaction.
 */
export async function appendAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const personal = entry.personal === undefined ? null : JSON.stringify(entry.personal)
  const personalHash =
    personal === null
      ? null
      : createHmac('sha256', await findAuditKey(tx))
          .update(personal)
          .digest()
  await insertAudit(tx, entry, { personal, personalHash })
}

/** Reads the whole trail and answers what is wrong with its chain; nothing, when nobody has touched it. */
export async function verifyAuditChain(db: Db): Promise<ChainFault[]> {
  return listChainFaults(db)
}
