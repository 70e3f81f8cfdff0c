import type { ForeignForm, NameFault, PasswordFault } from '#server/modules/accounts/index.ts'

/** An account as the game's table has it. */
export type GameAccount = {
  /** The game's own key. */
  key: string
  name: string
  password: string
  isActivated: boolean
  isBanned: boolean
  /** In the currency of the old site; undefined when it cannot be read. */
  balance: number | undefined
}

export type AccountSource = {
  /** The name of the table. With the game's key it is the key of the import. */
  name: string
  /** The server of the portal that the accounts belong to. */
  serverId: string
  passwordForm: ForeignForm | 'detected'
  /** So many TCoin for so much of the old currency; the rest of a division is dropped. */
  rate: { coins: number; per: number }
  names(): AsyncIterable<readonly string[]>
  /** In the order of their keys. */
  accounts(): AsyncIterable<readonly GameAccount[]>
}

/** Why an account stays behind. */
export type Reason =
  | NameFault
  | PasswordFault
  | 'doubled-name'
  | 'unreadable-balance'
  | 'key-of-another-account'

export type LeftBehind = Pick<GameAccount, 'key' | 'name'> & { reason: Reason }

export type Plan = {
  /** In lower case: those that differ in capitals only, or not at all. */
  doubled: ReadonlySet<string>
  /** How many can come over, how many of them activated and banned, and with how many TCoin together. */
  ready: number
  activated: number
  banned: number
  coins: number
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

/** Finds the names that occur more than once, whatever their capitals. */
export async function doubledNames(pages: AsyncIterable<readonly string[]>): Promise<ReadonlySet<string>> {
  const seen = new Set<string>()
  const doubled = new Set<string>()
  for await (const page of pages) {
    for (const key of page.map((name) => name.toLowerCase())) {
      if (seen.has(key)) doubled.add(key)
      seen.add(key)
    }
  }
  return doubled
}
