import { formatNumber } from '#contract/format.ts'
import { logOf, type Db } from '#server/platform/db/database.ts'
import { afterCommit, isInTransaction, sqlState, type Tx } from '#server/platform/db/transaction.ts'
import { Refusal, invariant } from '#server/platform/values/errors.ts'
import { count } from '#server/domain/metrics.ts'
import { eraseNothing, type PersonalPart } from '#server/domain/personal-part.ts'
import { allowLongChecks, reconcileQueries, type Found } from './reconcile.queries.ts'
import {
  type Posted,
  type Posting,
  postLedgerTransfer,
  postLedgerTransferWithNext,
  findDebt,
  entriesOfPerson,
  getBalance,
  type LedgerActor,
  type LedgerKind,
  openAccount,
  openAccounts,
  selectMovements,
  selectMovementsCount,
  type StoredMovement,
} from './wallet.queries.ts'

export type { LedgerActor, LedgerKind, StoredMovement }

const insufficientBalance = () => new Refusal('INSUFFICIENT_BALANCE')

/** The refusal of a purchase whose price was compared with the balance beforehand, so that it names the missing amount. */
export const coinsMissing = (missing: number) =>
  new Refusal('INSUFFICIENT_BALANCE', {
    message: `Bạn còn thiếu: ${formatNumber(missing)}, vui lòng nạp thêm tiền`,
  })

/** The portal's own (house) accounts; their ids are fixed by the migration that made them. */
export const HOUSE = {
  adjustment: '9000000000000001',
  promotion: '9000000000000002',
  suspense: '9000000000000003',
  gift: '9000000000000004',
  revenue: '9000000000000005',
  deliveryHold: '9000000000000006',
  recharge: '9000000000000007',
  opening: '9000000000000008',
  promotionHold: '9000000000000009',
} as const

/**
 * Moves TCoin from one ledger account to another inside the caller's transaction; the only way a balance changes.
 * Throws INSUFFICIENT_BALANCE when the debit account does not hold the amount.
 */
export async function postTransfer(tx: Tx, posting: Posting): Promise<Posted> {
  assertAmount(posting)
  try {
    const posted = await postLedgerTransfer(tx, posting)
    reportAfterCommit(posting, () => posted)
    return posted
  } catch (error) {
    if (sqlState(error) === 'CN001') throw insufficientBalance()
    throw error
  }
}

/**
 * The same together with the next statement of the transaction, where the caller has checked under its lock that the debit
 * account holds the amount, or it may be overdrawn. The result is there once that one was answered.
 */
export async function postTransferWithNext(tx: Tx, posting: Posting): Promise<() => Posted> {
  assertAmount(posting)
  const posted = await postLedgerTransferWithNext(tx, posting)
  reportAfterCommit(posting, posted)
  return posted
}

function assertAmount({ amount }: Posting): void {
  invariant(Number.isSafeInteger(amount) && amount > 0, 'a posting has a positive whole amount')
}

function reportAfterCommit(posting: Posting, posted: () => Posted): void {
  // A transaction that was opened another way, as the ledger's own tests do, has no commit to wait for.
  if (!isInTransaction()) return
  afterCommit('report a ledger transfer', (db) => {
    count('portal_ledger_transfers_total', { kind: posting.kind })
    logOf(db)?.info({ event: 'ledger.posted', ...factsOf(posting, posted()) }, 'TCoin moved')
  })
}

/** What joins a movement with its cause, its accounts and its request. */
function factsOf({ source, requestId, ...posting }: Posting, { transferId }: Posted) {
  return {
    transferId,
    ...posting,
    source: source.type,
    // That of a transfer between players is the key that the payer chose: their text.
    ...(source.type === 'transfer' ? {} : { sourceId: source.id }),
    requestId,
  }
}

/** Movements of the ledger by their ids, as the log names them. */
export const findMovements = async (db: Db, ids: readonly string[]): Promise<Map<string, StoredMovement>> =>
  new Map((await selectMovements(db, ids)).map((movement) => [movement.id, movement]))

/** How many movements there are between two moments. */
export const countMovements = (db: Db, span: { from: Date; to: Date }): Promise<number> =>
  selectMovementsCount(db, span)

/** Opens the wallet of a new player and returns its id. */
export const openWallet = (tx: Tx, userId: string): Promise<string> => openAccount(tx, 'user_wallet', userId)

/** The same for several; the wallets in the order of the players. */
export const openWallets = (tx: Tx, userIds: readonly string[]): Promise<string[]> =>
  openAccounts(tx, userIds)

type Opening = { walletId: string; amount: number; source: { type: string; id: string } }

/**
 * What a wallet held at the site before this one. Sent with the next statement; the source lets it happen once, whoever
 * imports.
 */
export async function postOpening(tx: Tx, { walletId, amount, source }: Opening): Promise<void> {
  await postTransferWithNext(tx, { kind: 'opening', debit: HOUSE.opening, credit: walletId, amount, source })
}

/** A player whose wallet is locked. */
type Holder = { id: string; walletId: string; balance: number }

type CreditReversal = {
  player: Holder
  /** What gave the wallet TCoin, from the account `debit`: they go back where they came from. */
  original: { transferId: string; amount: number; debit: string }
  /** The cause; that of the original where it is left out. */
  source?: Posting['source']
  actor: LedgerActor
}

/**
 * Reverses a whole recharge or bonus. What the wallet does not hold any more is lent to it first and owed from then on, so
 * that the wallet never goes below zero and the reversal always mirrors the original exactly.
 */
export async function reverseCredit(
  tx: Tx,
  { player, original, source, actor }: CreditReversal,
): Promise<{ transferId: string; lent: number }> {
  const cause = { type: 'ledger_transfer', id: original.transferId }
  const lent = Math.max(0, original.amount - player.balance)
  if (lent > 0) {
    const receivable = await openAccount(tx, 'receivable', player.id)
    await postTransfer(tx, {
      kind: 'debt',
      debit: receivable,
      credit: player.walletId,
      amount: lent,
      source: cause,
      ...actor,
    })
  }
  const { transferId } = await postTransfer(tx, {
    kind: 'reversal',
    debit: player.walletId,
    credit: original.debit,
    amount: original.amount,
    source: source ?? cause,
    reversesId: original.transferId,
    ...actor,
  })
  return { transferId, lent }
}

type DebtSettlement = {
  player: Pick<Holder, 'id' | 'walletId'>
  /** What brought the coins: at most one settlement for each. */
  source: { type: string; id: string }
  actor: LedgerActor
}

/** Pays what a player owes as far as their wallet goes, which the caller has locked. Answers the TCoin that were paid. */
export async function settleDebt(tx: Tx, { player, source, actor }: DebtSettlement): Promise<number> {
  const debt = await findDebt(tx, player.id)
  if (debt === undefined) return 0
  const amount = Math.min(debt.amount, await getBalance(tx, player.walletId))
  if (amount <= 0) return 0
  await postTransfer(tx, {
    kind: 'debt_settle',
    debit: player.walletId,
    credit: debt.accountId,
    amount,
    source,
    ...actor,
  })
  return amount
}

/** One check: its name, what it looks for, how many rows break it, and the first of them. All must be 0. */
export type ReconcileRow = Found & Pick<(typeof reconcileQueries)[number], 'check' | 'meaning'>

/** Runs R1–R16 in one snapshot, so that no transfer is read half-done. */
export const reconcile = (db: Db): Promise<ReconcileRow[]> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(reconcileIn)

/** The same in a transaction of the caller, which has to be of one snapshot. */
export async function reconcileIn(tx: Tx): Promise<ReconcileRow[]> {
  await allowLongChecks(tx)
  const rows: ReconcileRow[] = []
  for (const { check, meaning, find } of reconcileQueries) {
    rows.push({ check, meaning, ...(await find(tx)) })
  }
  return rows
}

/** The ledger holds ids and amounts. It stays, and names nobody once the account is erased. */
export const personalLedger: PersonalPart = {
  lists: { ledger_entries: entriesOfPerson },
  erase: eraseNothing,
}
