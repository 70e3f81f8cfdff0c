import { Client } from 'pg'
import { HOUSE, postTransfer } from '#server/modules/wallet/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { Transaction } from '#contract/transactions.ts'
import type { TestApp } from '#tests/support/app.ts'
import type { TestPlayer } from '#tests/support/players.ts'

export type StatementAnswer = {
  data: Transaction[]
  payload: { pagination: { page: number; items_per_page: number; total: number; last_page: number } }
}

/** The player's statement; `query` as it stands behind the question mark. */
export function readStatement(
  portal: TestApp,
  player: TestPlayer,
  query: Record<string, string | number> = {},
) {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return portal.call('GET', `/api/user/transactions?${text}`, { token: player.token })
}

export async function statement(
  portal: TestApp,
  player: TestPlayer,
  query: Record<string, string | number> = {},
): Promise<StatementAnswer> {
  const answer = await readStatement(portal, player, query)
  if (answer.status !== 200) throw new Error(`no statement: ${JSON.stringify(answer.body)}`)
  return answer.body as StatementAnswer
}

/** A paid order with its credit, as a bank's notification would leave them. */
export async function aRecharge(
  portal: TestApp,
  player: TestPlayer,
  { code, amount }: { code: string; amount: number },
): Promise<void> {
  await inTransaction(portal.db, async (tx) => {
    const { transferId } = await postTransfer(tx, {
      kind: 'recharge',
      debit: HOUSE.recharge,
      credit: player.walletId,
      amount,
      source: { type: 'bank_transaction', id: code },
    })
    const order = await tx
      .insertInto('payment_order')
      .values({
        code,
        user_id: player.id,
        channel: 2,
        amount,
        rate: 1,
        bank_bin: '970436',
        account_number: '0011000000001',
        account_name: 'CONG NINJA',
        qr: '-',
        status: 'paid',
        credited: amount,
        expires_at: new Date(),
        paid_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const transfer = await tx
      .insertInto('bank_transaction')
      .values({
        account_number: '0011000000001',
        direction: 'in',
        bank_ref: `FT-${code}`,
        amount,
        state: 'credited',
        order_id: order.id,
        user_id: player.id,
        credited: amount,
        transfer_id: transferId,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('payment_event')
      .values({
        provider: 'sepay',
        provider_event_id: `told-${code}`,
        signature: 'valid',
        direction: 'in',
        amount,
        account_number: '0011000000001',
        status: 'applied',
        bank_transaction_id: transfer.id,
      })
      .execute()
  })
}

/** Gives the wallet's entries, the oldest first, these moments; only the database's superuser can. */
export async function happenedAt(portal: TestApp, player: TestPlayer, moments: string[]): Promise<void> {
  const owner = new Client({ connectionString: portal.ownerUrl })
  await owner.connect()
  try {
    await owner.query('SET session_replication_role = replica')
    for (const [index, moment] of moments.entries()) {
      await owner.query(
        'UPDATE ledger_entry SET created_at = $1 WHERE account_id = $2 AND account_version = $3',
        [moment, player.walletId, index + 1],
      )
    }
  } finally {
    await owner.end()
  }
}
