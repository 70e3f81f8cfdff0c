/** What the ledger should do, in memory and as simple as possible: the tests compare the real one with it. */
export type ModelEntry = { version: number; kind: string; amount: number; before: number; after: number }

type ModelAccount = { balance: number; mayOverdraw: boolean; entries: ModelEntry[] }

export type ModelPosting = { kind: string; debit: string; credit: string; amount: number; source: string }

export type ModelOutcome = 'accepted' | 'INSUFFICIENT_BALANCE' | 'repeated' | 'same account'

export class LedgerModel {
  readonly accounts = new Map<string, ModelAccount>()
  readonly #causes = new Set<string>()

  open(name: string, mayOverdraw = false): void {
    this.accounts.set(name, { balance: 0, mayOverdraw, entries: [] })
  }

  post({ kind, debit, credit, amount, source }: ModelPosting): ModelOutcome {
    const from = this.account(debit)
    const to = this.account(credit)
    if (!from.mayOverdraw && from.balance < amount) return 'INSUFFICIENT_BALANCE'
    if (from === to) return 'same account'
    if (this.#causes.has(`${kind} ${source}`)) return 'repeated'
    this.#causes.add(`${kind} ${source}`)
    move(from, kind, -amount)
    move(to, kind, amount)
    return 'accepted'
  }

  account(name: string): ModelAccount {
    const account = this.accounts.get(name)
    if (!account) throw new Error(`the model has no account ${name}`)
    return account
  }
}

function move(account: ModelAccount, kind: string, amount: number): void {
  const before = account.balance
  account.balance += amount
  account.entries.push({ version: account.entries.length + 1, kind, amount, before, after: account.balance })
}
