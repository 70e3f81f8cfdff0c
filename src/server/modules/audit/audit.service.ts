import { createHmac } from 'node:crypto'
import type { Tx } from '#server/platform/db/transaction.ts'
import { findAuditKey, insertAudit } from './audit.queries.ts'

export type AuditActor = { kind: 'operator' | 'user'; id: string } | { kind: 'system' }

export type AuditEntry = {
  actor: AuditActor
  /** What was done, as `<resource>.<act>`: `posts.update`. */
  action: string
  subject: { type: string; id: string }
  reason?: string
  /** Business values before and after; ids and figures, never what names a person. */
  details: Record<string, unknown>
  /** What does name a person (addresses, phones, free text of players): kept apart, erasable. */
  personal?: Record<string, unknown>
  requestId?: string
}

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
