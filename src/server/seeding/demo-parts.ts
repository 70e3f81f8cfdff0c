import { appendAudit } from '#server/modules/audit/index.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { listMadeParts, lockSeeding } from './seeding.queries.ts'

// Stored in the audit trail of installations, so it keeps its name.
const SUBJECT = 'demo-world'

export type DemoParts = {
  isMade(name: string): boolean
  /**
   * Makes one part of the demo data in one transaction, once in the life of the installation: its row in the audit trail
   * is written with it. What an operator deleted later does not come back with the next start.
   */
  make(name: string, work?: (tx: Tx) => Promise<unknown>): Promise<void>
}

/** Reads once per start what has been made before, so that a later start costs one query. */
export async function openDemoParts({ db }: PlatformDeps): Promise<DemoParts> {
  const made = new Set(await listMadeParts(db, SUBJECT))
  return {
    isMade: (name) => made.has(name),
    async make(name, work) {
      if (made.has(name)) return
      await inTransaction(db, async (tx) => {
        await lockSeeding(tx)
        if ((await listMadeParts(tx, SUBJECT)).includes(name)) return
        await work?.(tx)
        await appendAudit(tx, {
          actor: { kind: 'system' },
          action: 'demo-world.make',
          subject: { type: SUBJECT, id: name },
          details: {},
        })
      })
    },
  }
}
