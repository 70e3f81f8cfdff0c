import { appendAudit } from '#server/modules/audit/index.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import { listMadeParts, lockSeeding } from './seeding.queries.ts'

const SUBJECT = 'demo-world'

/** What has been made before; read once per start, so that a later start costs one query. */
export async function madeParts({ db }: PlatformDeps): Promise<Set<string>> {
  return new Set(await listMadeParts(db, SUBJECT))
}

/**
 * Makes one part of the demo world in one transaction, once in the life of the installation: its row in the audit trail
 * is written with it. What an operator deleted later does not come back with the next start.
 */
export async function makePart(
  { db }: PlatformDeps,
  name: string,
  work: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockSeeding(tx)
    if ((await listMadeParts(tx, SUBJECT)).includes(name)) return
    await work(tx)
    await appendAudit(tx, {
      actor: { kind: 'system' },
      action: 'demo-world.make',
      subject: { type: SUBJECT, id: name },
      details: {},
    })
  })
}
