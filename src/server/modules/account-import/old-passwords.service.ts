import { randomBytes } from 'node:crypto'
import type { Db } from '#server/platform/db/database.ts'
import { selectImported } from './account-import.queries.ts'
import type { AccountSource, GameAccount, WritableSource } from './import-source.ts'

/** Begins what stands in place of a password: no login takes it, and a second run leaves it alone. */
const MARK = '!'
/** Fits into any column that held passwords of twelve letters. */
const RANDOM_BYTES = 8

const isOverwritten = ({ password }: GameAccount): boolean =>
  password.startsWith(MARK) && password.length === 12

/** A text that nobody knows: an empty one would open the account wherever the game still compares the column. */
const unknownText = (): string => MARK + randomBytes(RANDOM_BYTES).toString('base64url')

export type OldPasswords = {
  /** Accounts that came over and whose password the game's table still has. */
  found: number
  /** Those that have none there, or were overwritten before. */
  done: number
  /** Accounts that did not come over: they keep theirs, to come over later. */
  stay: number
}

/** What the game's table still has of the passwords of accounts that came over. Reads only. */
export async function countOldPasswords(
  db: Db,
  source: Pick<AccountSource, 'name' | 'accounts'>,
): Promise<OldPasswords> {
  const counts = { found: 0, done: 0, stay: 0 }
  for await (const page of source.accounts()) {
    const imported = await keysImported(db, source, page)
    for (const account of page) {
      if (!imported.has(account.key)) counts.stay++
      else if (account.password === '' || isOverwritten(account)) counts.done++
      else counts.found++
    }
  }
  return counts
}

/** Overwrites them, one by one. Answers how many; one that was changed in between is left to the next run. */
export async function overwriteOldPasswords(
  db: Db,
  source: Pick<WritableSource, 'name' | 'accounts' | 'overwritePassword'>,
): Promise<number> {
  let overwritten = 0
  for await (const page of source.accounts()) {
    const imported = await keysImported(db, source, page)
    for (const account of page) {
      if (!imported.has(account.key) || account.password === '' || isOverwritten(account)) continue
      if (await source.overwritePassword(account, unknownText())) overwritten++
    }
  }
  return overwritten
}

const keysImported = async (db: Db, { name }: Pick<AccountSource, 'name'>, page: readonly GameAccount[]) =>
  selectImported(
    db,
    name,
    page.map(({ key }) => key),
  )
