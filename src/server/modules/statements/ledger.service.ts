import type { QueryOf } from '#contract/endpoint.ts'
import type {
  LedgerTransfer,
  LedgerTransferDetail,
  operatorLedgerTransfers,
} from '#contract/operator/ledger-transfers.ts'
import { findTraderByUsername } from '#server/modules/traders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { orNotFound } from '#server/platform/values/errors.ts'
import { boundsOfDay } from '#server/platform/values/vietnam-time.rules.ts'
import { countLedger, findBudgetAccount, findLedgerTransfer, listLedger } from './ledger.queries.ts'

type Given = NonNullable<QueryOf<typeof operatorLedgerTransfers.list>['filter']>

/** Everything that moved in the ledger, as operators read it. */
export async function listLedgerTransfers(
  db: Db,
  { user, budget, from, to, ...given }: Given,
  page: ListPage,
): Promise<ListRows<LedgerTransfer>> {
  const accounts = [
    ...(user === undefined ? [] : [(await findTraderByUsername(db, user))?.walletId]),
    ...(budget === undefined ? [] : [await findBudgetAccount(db, budget)]),
  ]
  const [accountId, other] = accounts
  // Nothing is in two accounts that do not exist, or are asked for together.
  if (accounts.includes(undefined) || other !== undefined) return { total: 0, rows: [] }
  const filter = {
    ...given,
    accountId,
    from: from === undefined ? undefined : boundsOfDay(from).start,
    before: to === undefined ? undefined : boundsOfDay(to).end,
  }
  return { rows: await listLedger(db, filter, page), total: () => countLedger(db, filter) }
}

export async function getLedgerTransfer(db: Db, id: string): Promise<LedgerTransferDetail> {
  return orNotFound(await findLedgerTransfer(db, id))
}
