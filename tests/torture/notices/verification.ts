import type pg from 'pg'
import type { Fate, Model } from './model.ts'
import type { Report, Scenario } from './scenario.ts'
import { FIRST_PLAYER } from './setup.ts'

export type Verification = {
  /** Transfers by what the rules say of them. */
  credited: number
  review: number
  ignored: number
  /** Transfers that became something else than the rules say. */
  wrongFates: string[]
  /** Transfers that are not stored exactly once, and payment events that are not. */
  notOnce: string[]
  /** Players whose wallet holds something else than what they were due. */
  wallets: number
  /** VND reported by the providers that should be credited; VND and TCoin recorded in the ledger. */
  books: { expectedVnd: number; creditedVnd: number; ledgerCoins: number; dueCoins: number }
}

type Row = {
  provider: string
  event_id: string
  status: string
  reason: string | null
  bank_id: string | null
  state: string | null
  amount: string | null
}

/** How the portal names the event of a report; stated here from the providers' documents. */
const eventIdOf = ({ provider, eventId, transfer }: Report) =>
  provider === 'payos' ? `link${eventId}:${transfer.ref ?? ''}` : String(eventId)

/** Compares what the portal stores with the model. */
export async function verify(owner: pg.Client, scenario: Scenario, model: Model): Promise<Verification> {
  const { rows } = await owner.query<Row>(
    `SELECT event.provider, event.provider_event_id AS event_id, event.status, event.reason, bank.id AS bank_id,
        bank.state, bank.amount
       FROM payment_event event LEFT JOIN bank_transaction bank ON bank.id = event.bank_transaction_id
      WHERE event.signature <> 'stale'`,
  )
  const stored = new Map<string, Row[]>()
  for (const row of rows) {
    // What failed at the gateway is stored under a longer name.
    const id = row.provider === 'momo' ? (/(\d+)(?::\d+)?$/.exec(row.event_id)?.[1] ?? '') : row.event_id
    const key = `${row.provider} ${id}`
    stored.set(key, [...(stored.get(key) ?? []), row])
  }
  const fates = compare(scenario, model, stored)
  return { ...fates, ...(await wallets(owner, model)), books: await books(owner, model) }
}

function compare(scenario: Scenario, model: Model, stored: ReadonlyMap<string, Row[]>) {
  const wrongFates: string[] = []
  const notOnce: string[] = []
  const banks = new Map<number, Set<string>>()
  const counts: Record<Fate, number> = { credited: 0, review: 0, ignored: 0 }
  const known = new Set<number>()
  for (const report of scenario.reports) {
    const { key } = report.transfer
    const rows = stored.get(`${report.provider} ${eventIdOf(report)}`) ?? []
    if (rows.length !== 1) {
      notOnce.push(`${report.provider} ${report.eventId}: stored ${rows.length} times`)
    }
    for (const { bank_id: bank } of rows)
      if (bank !== null) banks.set(key, (banks.get(key) ?? new Set()).add(bank))
    const fate = model.fates.get(key)
    if (fate === undefined) throw new Error(`nothing was decided about transfer ${key}`)
    if (!known.has(key)) counts[fate]++
    known.add(key)
    const [row] = rows
    if (row && !model.conflicts.includes(report) && fateOf(row) !== fate) {
      wrongFates.push(`${report.provider} ${report.eventId}: ${fateOf(row)} (${row.reason}), not ${fate}`)
    }
  }
  for (const [key, ids] of banks)
    if (ids.size !== 1) notOnce.push(`transfer ${key} stands in ${ids.size} rows`)
  return { ...counts, wrongFates, notOnce }
}

function fateOf({ state, status, reason }: Row): Fate | 'undecided' {
  if (state === 'credited' || state === 'review' || state === 'ignored') return state
  return status === 'ignored' && reason !== null ? 'ignored' : 'undecided'
}

async function wallets(owner: pg.Client, model: Model): Promise<{ wallets: number }> {
  const { rows } = await owner.query<{ player: number; balance: string }>(
    `SELECT (user_id - $1)::int AS player, balance FROM ledger_account WHERE kind = 'user_wallet' AND user_id >= $1`,
    [FIRST_PLAYER],
  )
  const wrong = rows.filter(({ player, balance }) => Number(balance) !== (model.coins.get(player) ?? 0))
  return { wallets: wrong.length }
}

async function books(owner: pg.Client, model: Model): Promise<Verification['books']> {
  const { rows } = await owner.query<{ vnd: string; coins: string }>(
    `SELECT coalesce(sum(bank.amount), 0) AS vnd, coalesce(sum(transfer.amount), 0) AS coins
       FROM bank_transaction bank JOIN ledger_transfer transfer ON transfer.id = bank.transfer_id
      WHERE bank.state = 'credited' AND transfer.kind = 'recharge'`,
  )
  const [kept] = rows
  const dueCoins = [...model.coins.values()].reduce((sum, coins) => sum + coins, 0)
  return {
    expectedVnd: model.creditedVnd,
    creditedVnd: Number(kept?.vnd),
    ledgerCoins: Number(kept?.coins),
    dueCoins,
  }
}
