import { openWallets } from '#server/modules/wallet/index.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { Vault } from '#server/platform/db/vault.ts'
import { isStaffName } from './accounts.rules.ts'
import {
  insertUsers,
  nextUserIds,
  selectErasedKeys,
  selectTakenKeys,
  type UserRow,
} from './moved-accounts.queries.ts'

export type NameFault = 'name-length' | 'name-characters' | 'staff-name' | 'name-registered' | 'erased-name'

/** Why each of these names cannot become that of an account, as far as it cannot. */
export async function faultsOfNames(
  deps: { db: Db; vault: Vault },
  names: readonly string[],
): Promise<ReadonlyMap<string, NameFault>> {
  const faults = new Map<string, NameFault>()
  const { siteName } = await readSettings(deps.db)
  for (const name of names) {
    if (!/^[A-Za-z0-9]*$/.test(name)) faults.set(name, 'name-characters')
    else if (name.length < 5 || name.length > 20) faults.set(name, 'name-length')
    else if (isStaffName(name, siteName)) faults.set(name, 'staff-name')
  }
  const fit = names.filter((name) => !faults.has(name))
  if (fit.length === 0) return faults
  const keys = fit.map((name) => name.toLowerCase())
  const taken = new Set(await selectTakenKeys(deps.db, keys))
  const erased = new Set(await selectErasedKeys(deps, keys))
  for (const name of fit) {
    if (taken.has(name.toLowerCase())) faults.set(name, 'name-registered')
    else if (erased.has(name.toLowerCase())) faults.set(name, 'erased-name')
  }
  return faults
}

/**
 * Makes accounts with empty wallets and without contacts, which their players add and prove themselves. Answers them in the
 * same order. A name that was registered meanwhile is an error of the database.
 */
export async function createMovedAccounts(
  tx: Tx,
  accounts: readonly Omit<UserRow, 'id' | 'walletId'>[],
): Promise<{ id: string; walletId: string }[]> {
  const ids = await nextUserIds(tx, accounts.length)
  const wallets = await openWallets(tx, ids)
  const made = accounts.map((account, at) => ({
    ...account,
    id: ids[at] as string,
    walletId: wallets[at] as string,
  }))
  await insertUsers(tx, made)
  return made.map(({ id, walletId }) => ({ id, walletId }))
}
