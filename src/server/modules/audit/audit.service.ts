import { createHmac } from 'node:crypto'
import { canonicalJson } from '#server/platform/canonical-json.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { AuditEntry } from './audit-entry.ts'
import { findAuditKey, insertAudit } from './audit.queries.ts'

export { eraseOldPersonal } from './audit.queries.ts'

export const personalHashOf = (key: string, personal: unknown) =>
  createHmac('sha256', key).update(canonicalJson(personal)).digest()

/**
 * Writes one row of the audit trail inside the act's own transaction, so that there is no act without its row.
 * It holds a line of the trail until the end, of which there are sixteen: keep it the last statement of a transaction.
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
