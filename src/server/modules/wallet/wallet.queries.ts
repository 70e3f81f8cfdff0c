import { sql } from 'kysely'
import type { PurchaseTransfer } from '#contract/deliveries.ts'
import { parseCoins } from '#server/domain/coins.ts'
import { inPages } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import { sendWithNext, type Tx } from '#server/platform/db/transaction.ts'

export type LedgerKind =
  | 'recharge'
  | 'p2p'
  | 'activation'
  | PurchaseTransfer
  | 'adjustment'
  | 'reversal'
  | 'debt'
  | 'debt_settle'
  | 'opening'
  | 'budget'
  | 'bonus_hold'
  | 'bonus'
  | 'bonus_release'
  | 'gift_code_hold'
  | 'gift_code'
  | 'gift_code_release'
  | 'invitation'

/** Which operator caused a movement, if one did, and the request it came with. */
export type LedgerActor = { actorOperatorId?: string; requestId?: string | undefined }

export type Posting = LedgerActor & {
  kind: LedgerKind
  /** Ledger account ids: the amount moves from `debit` to `credit`. */
  debit: string
  credit: string
  /** TCoin, positive. */
  amount: number
  /** What causes it, unique together with the kind: one credit per payment, one hold, one settle per order. */
  source: { type: string; id: string }
  /** The transfer it reverses, which no other may reverse again. */
  reversesId?: string
  actorUserId?: string
}

export type Posted = { transferId: string; debitBalance: number; creditBalance: number }

type Row = Record<keyof Posted, string>

export async function postLedgerTransfer(tx: Tx, posting: Posting): Promise<Posted> {
  const { rows } = await ledgerPost(posting).execute(tx)
  return toPosted(rows)
}

/** The result is there with that of the next statement; read earlier it throws. */
export async function postLedgerTransferWithNext(tx: Tx, posting: Posting): Promise<() => Posted> {
  const rows = await sendWithNext(tx, ledgerPost(posting).compile(tx))
  return () => toPosted(rows())
}

function ledgerPost(posting: Posting) {
  const { kind, debit, credit, amount, source } = posting
  return sql<Row>`
    SELECT transfer_id AS "transferId", debit_balance AS "debitBalance", credit_balance AS "creditBalance"
      FROM ledger_post(${kind}, ${debit}::bigint, ${credit}::bigint, ${amount}::bigint, ${source.type}, ${source.id},
        ${posting.actorUserId ?? null}::bigint, ${posting.actorOperatorId ?? null}::bigint,
        ${posting.requestId ?? null}, ${posting.reversesId ?? null}::bigint)`
}

function toPosted(rows: readonly Row[]): Posted {
  const [row] = rows as [Row]
  return {
    ...row,
    debitBalance: parseCoins(row.debitBalance),
    creditBalance: parseCoins(row.creditBalance),
  }
}

/** Opens a ledger account of a player, or finds the one they have, and returns its id. */
export async function openAccount(
  tx: Tx,
  kind: 'user_wallet' | 'receivable',
  userId: string,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    SELECT ledger_open_account(${kind}, ${userId}::bigint) AS id`.execute(tx)
  return (rows[0] as { id: string }).id
}

/** Opens a wallet for each of these new players; answers the wallets in the order of the players. */
export async function openAccounts(tx: Tx, userIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT ledger_open_account('user_wallet', player.id) AS id
      FROM unnest(${userIds}::bigint[]) WITH ORDINALITY AS player (id, number) ORDER BY player.number`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

/** A player's debt and its ledger account. Changes only under the lock of the player's wallet. */
export async function findDebt(
  tx: Tx,
  userId: string,
): Promise<{ accountId: string; amount: number } | undefined> {
  const row = await tx
    .selectFrom('ledger_account')
    .select(['id', 'balance'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'receivable')
    .executeTakeFirst()
  return row && { accountId: row.id, amount: 0 - parseCoins(row.balance) }
}

export async function getBalance(tx: Tx, accountId: string): Promise<number> {
  const row = await tx
    .selectFrom('ledger_account')
    .select('balance')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return parseCoins(row.balance)
}

export const entriesOfPerson = inPages(
  ({ walletId }, { after, limit }) => sql`
    SELECT account_version::text AS cursor, transfer_id::text AS transfer, kind, amount, balance_before, balance_after,
           created_at
      FROM ledger_entry
     WHERE account_id = ${walletId}::bigint AND account_version > coalesce(${after}::bigint, 0)
     ORDER BY account_version LIMIT ${limit}`,
)

export type StoredMovement = {
  id: string
  kind: string
  amount: number
  source: string
  sourceId: string
  requestId: string | null
}

export async function selectMovements(db: Db, ids: readonly string[]): Promise<StoredMovement[]> {
  const { rows } = await sql<StoredMovement & { amount: string }>`
    SELECT id, kind, amount, source_type AS source,
           source_id AS "sourceId", request_id AS "requestId"
      FROM ledger_transfer WHERE id = ANY (${ids}::bigint[])`.execute(db)
  return rows.map((row) => ({ ...row, amount: parseCoins(row.amount) }))
}

export async function selectMovementsCount(db: Db, { from, to }: { from: Date; to: Date }): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM ledger_transfer
     WHERE created_at >= ${from} AND created_at <= ${to}`.execute(db)
  return rows[0]?.count ?? 0
}
