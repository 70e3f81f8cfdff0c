import { createHmac } from 'node:crypto'
import { canonicalJson } from '#server/platform/canonical-json.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { AuditEntry } from './audit-entry.ts'
import { findAuditKey, insertAudit, listChainFaults, listPersonal, type ChainFault } from './audit.queries.ts'

export { eraseOldPersonal } from './audit.queries.ts'

const personalHashOf = (key: string, personal: unknown) =>
  createHmac('sha256', key).update(canonicalJson(personal)).digest()

/**
 * Writes one row of the audit trail inside the act's own transaction, so that there is no act without its row.
 * Writers take turns on the head of the chain: keep it the last statement of a transaction.
 */
export async function appendAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  if (entry.personal === undefined) return insertAudit(tx, entry, null)
  const hash = personalHashOf(await findAuditKey(tx), entry.personal)
  await insertAudit(tx, entry, { text: JSON.stringify(entry.personal), hash })
}

/** An act of a player on their own account. */
export async function appendOwnAct(
  tx: Tx,
  userId: string,
  act: Omit<AuditEntry, 'actor' | 'subject'>,
): Promise<void> {
  const user = { id: userId }
  await appendAudit(tx, { actor: { kind: 'user', ...user }, subject: { type: 'user', ...user }, ...act })
}

/**
 * Reads the whole trail and returns the problems found; none when it was not changed. Personal parts that
 * were erased are no fault; changed ones are.
 */
export async function verifyAuditChain(db: Db | Tx): Promise<ChainFault[]> {
  const faults = await listChainFaults(db)
  const key = await findAuditKey(db)
  let after = '0'
  for (;;) {
    const rows = await listPersonal(db, after)
    const last = rows.at(-1)
    if (!last) return faults
    after = last.seq
    for (const { seq, content, personal_hash } of rows) {
      if (!personal_hash?.equals(personalHashOf(key, content))) faults.push({ seq, fault: 'personal' })
    }
  }
}
