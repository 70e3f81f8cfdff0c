import { formatNumber } from '#contract/format.ts'
import { logOf } from '#server/platform/db/database.ts'
import { afterCommit, isInTransaction, sqlState, type Tx } from '#server/platform/db/transaction.ts'
import { Refusal, invariant } from '#server/platform/values/errors.ts'
import { count } from '#server/domain/metrics.ts'
import {
  type Posted,
  type Posting,
  postLedgerTransfer,
  postLedgerTransferWithNext,
} from './wallet.queries.ts'

const insufficientBalance = () => new Refusal('INSUFFICIENT_BALANCE')

/** The refusal of a purchase whose price was compared with the balance beforehand, so that it names the missing amount. */
export const coinsMissing = (missing: number) =>
  new Refusal('INSUFFICIENT_BALANCE', {
    message: `Bạn còn thiếu: ${formatNumber(missing)}, vui lòng nạp thêm tiền`,
  })

/** The house's accounts; their ids are fixed by the migration that made them. */
export const HOUSE = {
  adjustment: '9000000000000001',
  promotion: '9000000000000002',
  suspense: '9000000000000003',
  gift: '9000000000000004',
  revenue: '9000000000000005',
  deliveryHold: '9000000000000006',
  recharge: '9000000000000007',
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
 * The same together with the next statement of the transaction, where the caller has seen under its lock that the debit
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
  afterCommit((db) => {
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
    // That of a transfer between players is the key that the payer chose: their words.
    ...(source.type === 'transfer' ? {} : { sourceId: source.id }),
    requestId,
  }
}
