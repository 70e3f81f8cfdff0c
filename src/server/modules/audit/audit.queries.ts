import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { hasRows } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { AuditEntry } from './audit-entry.ts'

/** The installation's key for hashes of personal values; made with the installation. */
export async function findAuditKey(tx: Db | Tx): Promise<string> {
  const row = await tx
    .selectFrom('installation')
    .select('value')
    .where('name', '=', 'hash_key')
    .executeTakeFirstOrThrow()
  return row.value
}

type Personal = { text: string; hash: Buffer }

export async function insertAudit(tx: Tx, entry: AuditEntry, personal: Personal | null): Promise<void> {
  const actorId = entry.actor.kind === 'system' ? null : entry.actor.id
  await sql`SELECT audit_append(${entry.actor.kind}, ${actorId}::bigint, ${entry.action}, ${entry.subject.type},
    ${entry.subject.id}, ${entry.reason ?? null}, ${JSON.stringify(entry.details ?? {})}::jsonb, ${personal?.text ?? null}::jsonb,
    ${personal?.hash ?? null}, ${entry.requestId ?? null})`.execute(tx)
}

const ERASED_AT_ONCE = 1_000

/** Erases one batch of personal parts older than 24 months; true when there may be more. The chain stays whole. */
export async function eraseOldPersonal(db: Db): Promise<boolean> {
  const { rows } = await sql<{ erased: number }>`
    SELECT audit_erase_personal(${ERASED_AT_ONCE}) AS erased`.execute(db)
  return rows[0]?.erased === ERASED_AT_ONCE
}

/** Whether somebody holds a role, whichever it is. */
export async function isOperator(db: Db, userId: string): Promise<boolean> {
  return hasRows(db.selectFrom('user_roles').where('user_id', '=', userId))
}
