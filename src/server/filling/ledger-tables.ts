import type { TableRows, Value } from './copying.ts'
import { history, momentOf, type Movement } from './history.ts'
import { momentText, type Existing, type Plan } from './plan.ts'

/** Balances and versions of all ledger accounts while the history goes by. */
export class Balances {
  readonly #wallets: { balance: Float64Array; version: Uint32Array }
  readonly house = new Map<number, { balance: number; version: number }>()

  constructor(players: number) {
    this.#wallets = { balance: new Float64Array(players + 1), version: new Uint32Array(players + 1) }
  }

  /** The entry of one side: its number in the account, and the balance before and after. */
  move(account: number, amount: number): { version: number; before: number; after: number } {
    const { balance, version } = this.#wallets
    const isWallet = account < balance.length
    const of = isWallet
      ? { balance: balance[account] as number, version: version[account] as number }
      : (this.house.get(account) ?? { balance: 0, version: 0 })
    const moved = { version: of.version + 1, before: of.balance, after: of.balance + amount }
    if (isWallet) {
      balance[account] = moved.after
      version[account] = moved.version
    } else {
      this.house.set(account, { balance: moved.after, version: moved.version })
    }
    return moved
  }

  wallet(account: number): { balance: number; version: number } {
    const { balance, version } = this.#wallets
    return { balance: balance[account] as number, version: version[account] as number }
  }
}

/** All balances at the end. */
export function balancesAfter(plan: Plan, existing: Existing): Balances {
  const balances = new Balances(plan.players)
  for (const { debit, credit, amount } of history(plan, existing)) {
    balances.move(debit, -amount)
    balances.move(credit, amount)
  }
  return balances
}

function* entries(plan: Plan, existing: Existing): Generator<Value[]> {
  const balances = new Balances(plan.players)
  const side = ({ id, kind, at }: Movement, account: number, amount: number): Value[] => {
    const { version, before, after } = balances.move(account, amount)
    return [account, version, id, kind, amount, before, after, momentText(at)]
  }
  for (const movement of history(plan, existing)) {
    yield side(movement, movement.debit, -movement.amount)
    yield side(movement, movement.credit, movement.amount)
  }
}

function* transfers(plan: Plan, existing: Existing): Generator<Value[]> {
  for (const { id, kind, debit, credit, amount, sourceType, sourceId, actor, at } of history(plan, existing))
    yield [id, kind, debit, credit, amount, sourceType, sourceId, actor, momentText(at)]
}

function* wallets(plan: Plan, existing: Existing): Generator<Value[]> {
  const balances = balancesAfter(plan, existing)
  for (let player = 0; player < plan.players; player++) {
    const { balance, version } = balances.wallet(player + 1)
    yield [
      player + 1,
      'user_wallet',
      player + 1,
      balance,
      version,
      momentText(momentOf(plan, player, 0) - 60_000),
    ]
  }
}

export const ledgerTables = (plan: Plan, existing: Existing): TableRows[] => [
  {
    table: 'ledger_account',
    columns: ['id', 'kind', 'user_id', 'balance', 'version', 'created_at'],
    rows: () => wallets(plan, existing),
  },
  {
    table: 'ledger_transfer',
    columns:
      `id kind debit_account credit_account amount source_type source_id actor_user_id created_at`.split(' '),
    rows: () => transfers(plan, existing),
  },
  {
    table: 'ledger_entry',
    columns:
      `account_id account_version transfer_id kind amount balance_before balance_after created_at`.split(' '),
    rows: () => entries(plan, existing),
  },
]
