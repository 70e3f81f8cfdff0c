import { formatNumber } from '#contract/format.ts'
import { paths } from '#contract/pages.ts'
import { type Addressee, type Mail, queueMail } from '#server/modules/mail/index.ts'
import { lockOrderById, reopenOrder } from '#server/modules/recharge/index.ts'
import { findNotifiedTrader, lockTrader } from '#server/modules/traders/index.ts'
import { reverseRecharge } from '#server/modules/wallet/index.ts'
import { afterCommit, type Tx } from '#server/platform/db/transaction.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { type BankInboxDeps, ledgerActor, type Operator } from '../bank-inbox-deps.ts'
import type { LockedTransfer } from '../operator/acts.queries.ts'
import { markCreditReversed } from './credit-reversal.queries.ts'

/** A transfer whose credit a player has. */
export type CreditedTransfer = LockedTransfer & { userId: string; transferId: string }

export type CreditReversal = {
  /** Credited, and locked. */
  transfer: CreditedTransfer
  /** What becomes of the transfer: an operator's mistake is decided anew, the bank's reversal is final. */
  becomes: { state: 'review' | 'refunded'; reason: string }
  /** The outgoing transfer by which the bank took the money back. */
  outgoingId: string | null
  operator: Operator
}

/**
 * Undoes a credit by the opposite ledger transfer; what the wallet does not hold any more is owed. The player gets a
 * mail at a verified address. Returns the TCoin lent.
 */
export async function undoCredit(
  { vault, publicUrl, log }: Pick<BankInboxDeps, 'vault' | 'publicUrl' | 'log'>,
  tx: Tx,
  reversal: CreditReversal,
): Promise<{ lent: number }> {
  const { transfer, becomes, outgoingId, operator } = reversal
  if (transfer.orderId !== null) await lockOrderById(tx, transfer.orderId)
  const player = await lockTrader(tx, transfer.userId)
  const { transferId, lent } = await reverseRecharge(tx, {
    player,
    original: { transferId: transfer.transferId, amount: transfer.credited },
    actor: ledgerActor(operator),
  })
  const ids = { transfer_id: transferId, bank_transaction_id: transfer.id, outgoing_id: outgoingId }
  await markCreditReversed(tx, { ...ids, lent }, becomes)
  if (transfer.orderId !== null) {
    await reopenOrder(tx, transfer.orderId, becomes.state === 'review' ? 'review' : 'cancelled')
  }
  afterCommit(() =>
    log.info(
      {
        event: 'payment.reversed',
        orderCode: transfer.orderCode,
        bankRef: transfer.bankRef,
        bankTransactionId: transfer.id,
        transferId,
        reversedTransferId: transfer.transferId,
        userId: transfer.userId,
        amount: transfer.amount,
        coins: transfer.credited,
        lent,
        byBank: outgoingId !== null,
        ...ledgerActor(operator),
      },
      'the credit of a payment was reversed',
    ),
  )
  const notified = await findNotifiedTrader(tx, transfer.userId)
  invariant(notified, 'whose credit is reversed exists')
  const { username, email, debt } = notified
  if (email !== null) {
    const reversed = { coins: transfer.credited, debt, isByBank: outgoingId !== null, publicUrl }
    await queueMail(vault, tx, creditReversedMail({ to: email, username }, reversed))
  }
  return { lent }
}

type Reversed = {
  coins: number
  /** TCoin the player owes now, for this and whatever was owed before. */
  debt: number
  /** The bank has the money again; else it was given to the wrong player. */
  isByBank: boolean
  publicUrl: string
}

const creditReversedMail = (to: Addressee, { coins, debt, isByBank, publicUrl }: Reversed): Mail => ({
  kind: 'recharge-taken-back',
  ...to,
  subject: `Một khoản nạp ${formatNumber(coins)} TCoin đã bị thu hồi`,
  paragraphs: [
    isByBank
      ? 'Ngân hàng đã thu hồi khoản chuyển mà bạn dùng để nạp TCoin, nên số TCoin đó cũng được lấy lại khỏi ví.'
      : 'Một khoản nạp đã được cộng nhầm vào ví của bạn, nên số TCoin đó được lấy lại.',
    ...(debt === 0
      ? []
      : [
          `Phần đã dùng được ghi nợ: bạn còn nợ ${formatNumber(debt)} TCoin. Các giao dịch tạm khóa đến khi trả hết; TCoin bạn nạp thêm sẽ trả nợ trước.`,
        ]),
  ],
  action: { label: 'Xem lịch sử giao dịch', url: publicUrl + paths.transactions },
  closing: ['Nếu bạn cho rằng có nhầm lẫn, hãy báo cho ban quản trị.'],
})
