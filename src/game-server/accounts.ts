import type { AccountChange, JournalRow } from './journal.ts'
import { ok, readAccount, wrong, type Answer } from './reading.ts'
import type { World } from './world.ts'

export type Accounts = {
  /** What the journal has of an account. */
  restore(change: AccountChange): void
  answer(account: string, call: { method: string; body: Buffer }): Promise<Answer>
}

/** As many as easily fit into memory. */
const ACCOUNTS_MAX = 1_000_000

/** What the portal says about accounts: of each the change with the highest version, on disk before it is answered. */
export function openAccounts(world: World, append: (row: JournalRow) => Promise<void>): Accounts {
  const stored = new Map<string, { change: AccountChange; written: Promise<void> }>()

  const versionOf = (account: string) => stored.get(account)?.change.version ?? null

  async function put(account: string, body: Buffer): Promise<Answer> {
    const read = readAccount(body)
    if (!('value' in read)) return wrong(400, 'bad-request', read.field)
    const change = read.value
    if (change.account.toLowerCase() !== account) return wrong(400, 'bad-request', 'account')
    const earlier = stored.get(account)
    if (earlier && earlier.change.version >= change.version) await earlier.written
    else if (!earlier && stored.size >= ACCOUNTS_MAX) return wrong(503, 'journal-full')
    else {
      const written = append({ id: account, status: 'account', change })
      stored.set(account, { change, written })
      await written
    }
    return ok({ status: 'stored' })
  }

  return {
    restore: (change) => {
      stored.set(change.account.toLowerCase(), { change, written: Promise.resolve() })
    },
    async answer(name, { method, body }) {
      const account = name.toLowerCase()
      if (method === 'PUT') return put(account, body)
      if (method !== 'GET') return wrong(405, 'no-such-method')
      const isKnown = stored.has(account) || world.hasAccount(account)
      return ok({ status: isKnown ? 'known' : 'unknown', version: versionOf(account) })
    },
  }
}
