import { reconcile } from '#server/modules/wallet/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { invariant } from '#server/platform/values/errors.ts'

/** Of one of the portal's accounts all its stripes. */
export async function balanceOf(db: Db, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('ledger_account as named')
    .innerJoin('ledger_account as part', 'part.kind', 'named.kind')
    .select((eb) => eb.fn.sum<string>('part.balance').as('balance'))
    .where('named.id', '=', accountId)
    .whereRef('part.user_id', 'is not distinct from', 'named.user_id')
    .executeTakeFirstOrThrow()
  return Number(row.balance)
}

/** The rules of the reconciliation that are broken, with their meaning. */
export async function brokenChecks({ db }: { db: Db }): Promise<string[]> {
  const rows = await reconcile(db)
  return rows.filter(({ count }) => count > 0).map(({ check, meaning }) => `${check}: ${meaning}`)
}

/** Fails unless the ledger fulfils every rule of the reconciliation; for the end of a test. */
export async function expectReconciled(portal: { db: Db }): Promise<void> {
  const broken = await brokenChecks(portal)
  invariant(broken.length === 0, broken.join('; '))
}
