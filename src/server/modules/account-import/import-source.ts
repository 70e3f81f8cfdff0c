import { SetupProblem } from '#server/platform/values/errors.ts'
import type { ForeignForm, NameFault, PasswordFault } from '#server/modules/accounts/index.ts'

/** An account as the game's table has it. */
export type GameAccount = {
  /** The game's own key. */
  key: string
  name: string
  /** Where an operator gave it another name. */
  nameInGame?: string
  password: string
  isActivated: boolean
  isBanned: boolean
  /** In the currency of the old site; undefined when it cannot be read. */
  balance: number | undefined
  /** As the game has them; empty where it has none. */
  phone: string
  email: string
}

export type AccountName = Pick<GameAccount, 'key' | 'name'>

export type AccountSource = {
  /** The name of the table. With the game's key it is the key of the import. */
  name: string
  /** Its columns with the key and the name. */
  columns: { id: string; name: string }
  /** The server of the portal that the accounts belong to. */
  serverId: string
  passwordForm: ForeignForm | 'detected'
  /** So many TCoin for so much of the old currency; the rest of a division is dropped. */
  rate: { coins: number; per: number }
  names(): AsyncIterable<readonly AccountName[]>
  /** In the order of their keys. */
  accounts(): AsyncIterable<readonly GameAccount[]>
}

export type WritableSource = AccountSource & {
  /** Writes another text where the password is still this one. Answers whether it was. */
  overwritePassword(account: Pick<GameAccount, 'key' | 'password'>, text: string): Promise<boolean>
}

/** Why an account stays behind. */
export type Reason =
  | NameFault
  | PasswordFault
  | 'identical-name'
  | 'doubled-name'
  | 'unreadable-balance'
  | 'key-of-another-account'

/** `newName` is free, and the operator may choose it; null where another name is no help. */
export type LeftBehind = Pick<GameAccount, 'key' | 'name' | 'nameInGame'> & {
  reason: Reason
  newName: string | null
}

/** The names of a table, in lower case, and which of them are doubled. */
export type TableNames = {
  all: ReadonlySet<string>
  /** Those that differ in capitals only, or not at all. */
  doubled: ReadonlySet<string>
  /** As they are written: those that several accounts have letter by letter. */
  identical: ReadonlySet<string>
}

export type Plan = {
  names: TableNames
  /** How many can come over, how many of them activated and banned, and with how many TCoin together. */
  ready: number
  activated: number
  banned: number
  coins: number
  /** How many of them come with a phone or an address to be proved, and how many of those that were given are none. */
  hinted: number
  unreadableHints: number
  already: number
  left: ReadonlyMap<Reason, number>
}

/** The largest balance that the ledger takes. */
const COINS_MAX = 9_000_000_000_000_000n

/** The TCoin for a balance of the old site; undefined when it is no balance. */
export function coinsFor(
  balance: number | undefined,
  { coins, per }: { coins: number; per: number },
): number | undefined {
  if (balance === undefined || balance < 0) return undefined
  const amount = (BigInt(balance) * BigInt(coins)) / BigInt(per)
  return amount > COINS_MAX ? undefined : Number(amount)
}

/** Reads which names occur more than once; of what `newNames` says each key has to be there. */
export async function readNames(
  pages: AsyncIterable<readonly AccountName[]>,
  newNames: ReadonlyMap<string, string>,
): Promise<TableNames> {
  const exact = new Set<string>()
  const all = new Set<string>()
  const doubled = new Set<string>()
  const identical = new Set<string>()
  const missing = new Set(newNames.keys())
  for await (const page of pages) {
    for (const { key, name } of page) {
      if (exact.has(name)) identical.add(name)
      if (all.has(name.toLowerCase())) doubled.add(name.toLowerCase())
      exact.add(name)
      all.add(name.toLowerCase())
      missing.delete(key)
    }
  }
  const [unknown] = missing
  if (unknown !== undefined)
    throw new SetupProblem(`the game has no account with the key ${unknown}, to which another name is given`)
  return { all, doubled, identical }
}
