import type pg from 'pg'
import { sum } from '../../harness/numbers.ts'
import type { Fate, Model } from './model.ts'
import type { Report, Scenario } from './scenario.ts'
import { FIRST_PLAYER } from './setup.ts'

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

/** Compares what the portal stores with the model: transfers by what the rules say of them, and the books. */
export async function verify(owner: pg.Client, scenario: Scenario, model: Model) {
  const { rows } = await owner.query<Row>(
    `SELECT event.provider, event.provider_event_id AS event_id, event.status, event.reason, bank.id AS bank_id,
        bank.state, bank.amount
       FROM payment_event event LEFT JOIN bank_transaction bank ON bank.id = event.bank_transaction_id
      -- What came again is stored beside it, under its id with a mark.
      WHERE event.signature <> 'stale' AND event.provider_event_id NOT LIKE '%#%'`,
  )
  const stored = new Map<string, Row[]>()
  for (const row of rows) {
    // What failed at the gateway is stored under a longer name.
    const id = row.provider === 'momo' ? (/(\d+)(?::\d+)?$/.exec(row.event_id)?.[1] ?? '') : row.event_id
    const key = `${row.provider} ${id}`
    stored.set(key, [...(stored.get(key) ?? []), row])
  }
  return { ...compare(scenario, model, stored), books: await books(owner, model) }
}

function compare(scenario: Scenario, model: Model, stored: ReadonlyMap<string, Row[]>) {
  /** Transfers that became something else than the rules say, or are not stored exactly once. */
  const wrong: string[] = []
  const banks = new Map<number, Set<string>>()
  const counts: Record<Fate, number> = { credited: 0, review: 0, ignored: 0 }
  const known = new Set<number>()
  for (const report of scenario.reports) {
    const { key } = report.transfer
    const rows = stored.get(`${report.provider} ${eventIdOf(report)}`) ?? []
    if (rows.length !== 1) wrong.push(`${report.provider} ${report.eventId}: stored ${rows.length} times`)
    for (const { bank_id: bank } of rows)
      if (bank !== null) banks.set(key, (banks.get(key) ?? new Set()).add(bank))
    const fate = model.fates.get(key)
    if (fate === undefined) throw new Error(`nothing was decided about transfer ${key}`)
    if (!known.has(key)) counts[fate]++
    known.add(key)
    const [row] = rows
    if (row && !model.conflicts.includes(report) && fateOf(row) !== fate) {
      wrong.push(`${report.provider} ${report.eventId}: ${fateOf(row)} (${row.reason}), not ${fate}`)
    }
  }
  for (const [key, ids] of banks) if (ids.size !== 1) wrong.push(`transfer ${key} stands in ${ids.size} rows`)
  return { ...counts, wrong }
}

function fateOf({ state, status, reason }: Row): Fate | 'undecided' {
  if (state === 'credited' || state === 'review' || state === 'ignored') return state
  return status === 'ignored' && reason !== null ? 'ignored' : 'undecided'
}

async function books(owner: pg.Client, model: Model) {
  const wallets = await owner.query<{ player: number; balance: string }>(
    `SELECT (user_id - $1)::int AS player, balance FROM ledger_account WHERE kind = 'user_wallet' AND user_id >= $1`,
    [FIRST_PLAYER],
  )
  const recharged = await owner.query<{ vnd: string; coins: string }>(
    `SELECT coalesce(sum(bank.amount), 0) AS vnd, coalesce(sum(transfer.amount), 0) AS coins
       FROM bank_transaction bank JOIN ledger_transfer transfer ON transfer.id = bank.transfer_id
      WHERE bank.state = 'credited' AND transfer.kind = 'recharge'`,
  )
  const [kept] = recharged.rows
  const missing = model.creditedVnd - Number(kept?.vnd)
  const isWrong = ({ player, balance }: (typeof wallets.rows)[number]) =>
    Number(balance) !== (model.coins.get(player) ?? 0)
  return {
    /** VND that the providers reported and that should be in the ledger, and VND that should not. */
    lost: Math.max(0, missing),
    doubled: Math.max(0, -missing),
    coins: Math.abs(sum(model.coins.values()) - Number(kept?.coins)),
    wallets: wallets.rows.filter(isWrong).length,
  }
}
