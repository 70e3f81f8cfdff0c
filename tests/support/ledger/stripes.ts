import { reconcile, HOUSE } from '../../../src/server/modules/wallet/wallet.service.ts'
import { post, type Ledger } from '#tests/support/ledger/ledger.ts'

export type Stripe = { id: string; balance: number }

/** The rows of one of the portal's accounts, in order. */
export async function stripesOf(ledger: Ledger, account: string): Promise<Stripe[]> {
  const { rows } = await ledger.owner.query<{ id: string; balance: string }>(
    `SELECT id, balance FROM ledger_account
      WHERE kind = (SELECT kind FROM ledger_account WHERE id = $1) ORDER BY stripe`,
    [account],
  )
  return rows.map(({ id, balance }) => ({ id, balance: Number(balance) }))
}

/** What each of them holds. */
export const rowsOf = async (ledger: Ledger, account: string): Promise<number[]> =>
  (await stripesOf(ledger, account)).map(({ balance }) => balance)

/** The rows that a transfer moved coins between. */
export async function sidesOf(
  ledger: Ledger,
  { transferId }: { transferId: string },
): Promise<{ debit: string; credit: string }> {
  const { rows } = await ledger.owner.query<{ debit: string; credit: string }>(
    'SELECT debit_account AS debit, credit_account AS credit FROM ledger_transfer WHERE id = $1',
    [transferId],
  )
  return rows[0] as { debit: string; credit: string }
}

type Source = { type: string; id: string }

const AMOUNT = 10

export const aHold = (ledger: Ledger, wallet: string, source: Source) =>
  post(ledger, { kind: 'exchange_hold', debit: wallet, credit: HOUSE.deliveryHold, amount: AMOUNT, source })

export const settle = (ledger: Ledger, source: Source) =>
  post(ledger, {
    kind: 'exchange_settle',
    debit: HOUSE.deliveryHold,
    credit: HOUSE.revenue,
    amount: AMOUNT,
    source,
  })

export const refund = (ledger: Ledger, wallet: string, source: Source) =>
  post(ledger, { kind: 'exchange_refund', debit: HOUSE.deliveryHold, credit: wallet, amount: AMOUNT, source })

/** The reconciliations of the rows themselves find nothing; what stands beside the ledger these tests do not make. */
export async function expectSoundRows(ledger: Ledger): Promise<void> {
  const rows = await reconcile(ledger.app)
  const broken = rows.filter(({ check, count }) => Number(check.slice(1)) <= 6 && count > 0)
  if (broken.length > 0) throw new Error(`the rows are not sound: ${JSON.stringify(broken)}`)
}
