import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
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

export type ChainFault = { seq: string; fault: 'gap' | 'link' | 'hash' | 'head' | 'personal' }

/**
 * Rows that do not follow the one before them, whose link is not its hash, or whose hash is not that of their content;
 * and a head that is not the last row, by which a cut-off tail shows.
 */
export async function listChainFaults(db: Db | Tx): Promise<ChainFault[]> {
  const { rows } = await sql<ChainFault>`
    WITH chain AS (
      SELECT entry, (entry).seq, (entry).hash, (entry).prev_hash,
          lag((entry).seq, 1, 0::bigint) OVER line AS last_seq,
          lag((entry).hash, 1, sha256('cong-ninja audit'::bytea)) OVER line AS last_hash
        FROM audit_log AS entry WINDOW line AS (ORDER BY (entry).seq))
    SELECT seq, 'gap' AS fault FROM chain WHERE seq <> last_seq + 1
    UNION ALL
    SELECT seq, 'link' FROM chain WHERE prev_hash <> last_hash
    UNION ALL
    SELECT seq, 'hash' FROM chain WHERE hash <> sha256(prev_hash || audit_canonical(entry))
    UNION ALL
    SELECT head.seq, 'head' FROM audit_head head
      WHERE head.seq > 0 AND NOT EXISTS (SELECT FROM audit_log a WHERE a.seq = head.seq AND a.hash = head.hash)
         OR EXISTS (SELECT FROM audit_log a WHERE a.seq > head.seq)`.execute(db)
  return rows
}

/** How many rows the trail should have. */
export async function countChain(tx: Tx): Promise<number> {
  const { seq } = await tx.selectFrom('audit_head').select('seq').executeTakeFirstOrThrow()
  return Number(seq)
}

/** For a check of the whole trail, and nothing else. */
export async function allowLongStatements(tx: Tx): Promise<void> {
  await sql`SELECT set_config('statement_timeout', '60s', true)`.execute(tx)
}

const PERSONAL_ROWS = 1_000

/** The next personal parts after `seq`, with the hash the chain holds of each. */
export async function listPersonal(db: Db | Tx, seq: string) {
  return db
    .selectFrom('audit_personal')
    .innerJoin('audit_log', 'audit_log.seq', 'audit_personal.seq')
    .select(['audit_personal.seq', 'audit_personal.content', 'audit_log.personal_hash'])
    .where('audit_personal.seq', '>', seq)
    .orderBy('audit_personal.seq')
    .limit(PERSONAL_ROWS)
    .execute()
}

const ERASED_AT_ONCE = 1_000

/** Erases one batch of personal parts older than 24 months; true when there may be more. The chain stays whole. */
export async function eraseOldPersonal(db: Db): Promise<boolean> {
  const { rows } = await sql<{ erased: number }>`
    SELECT audit_erase_personal(${ERASED_AT_ONCE}) AS erased`.execute(db)
  return rows[0]?.erased === ERASED_AT_ONCE
}
