import { sql } from 'kysely'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { AuditEntry } from './audit-entry.ts'

/** The installation's key for hashes of personal values; made with the installation. */
export async function findAuditKey(tx: Tx): Promise<string> {
  const row = await tx
    .selectFrom('installation')
    .select('value')
    .where('name', '=', 'hash_key')
    .executeTakeFirstOrThrow()
  return row.value
}

type Personal = { personal: string | null; personalHash: Buffer | null }

export async function insertAudit(
  tx: Tx,
  entry: AuditEntry,
  { personal, personalHash }: Personal,
): Promise<void> {
  const actorId = entry.actor.kind === 'system' ? null : entry.actor.id
  await sql`SELECT audit_append(${entry.actor.kind}, ${actorId}::bigint, ${entry.action}, ${entry.subject.type},
    ${entry.subject.id}, ${entry.reason ?? null}, ${JSON.stringify(entry.details)}::jsonb, ${personal}::jsonb,
    ${personalHash}, ${entry.requestId ?? null})`.execute(tx)
}
