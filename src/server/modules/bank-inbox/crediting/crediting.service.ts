import type { RawBuilder } from 'kysely'
import { formatMoment, formatNumber } from '#contract/format.ts'
import { paths } from '#contract/pages.ts'
import {
  addNotice,
  type Addressee,
  type Mail,
  noticePart,
  queueMailWithNext,
} from '#server/modules/notices/index.ts'
import {
  coinsFor,
  giveBonus,
  markOrderPaid,
  reachedStepsPart,
  lockOrderById,
  reopenOrder,
} from '#server/modules/recharge/index.ts'
import { type NotifiedTrader, findNotifiedTrader, lockTrader } from '#server/modules/traders/index.ts'
import {
  HOUSE,
  type LedgerActor,
  postTransferWithNext,
  settleDebt,
  reverseCredit,
} from '#server/modules/wallet/index.ts'
import { afterCommit, sendWithNext, type Tx } from '#server/platform/db/transaction.ts'
import { invariant } from '#server/platform/values/errors.ts'
import type { BankInboxDeps, Operator } from '../bank-inbox-deps.ts'
import {
  type StoredCredit,
  insertCredited,
  markCredited,
  type StoredEvent,
} from '../intake/settlement.queries.ts'
import type { PaidStatus } from '../matching/matching.rules.ts'
import { type LockedTransfer, markCreditReversed } from '../operator/bank-transfers.queries.ts'

export const ledgerActor = ({ id, requestId }: Operator): LedgerActor => ({ actorOperatorId: id, requestId })

type Crediting = {
  /**
   * The payment event that reported it and whose transfer is not stored yet, with the account of ours that it came to;
   * null when an operator credits a stored one.
   */
  event: (StoredEvent & { accountNumber: string }) | null
  transfer: { id: string; bankRef: string | null; bookedAt: Date }
  /** As they were when their wallet was locked. */
  player: Pick<NotifiedTrader, 'id' | 'walletId' | 'username' | 'email' | 'balance' | 'debt'>
  /** VND that arrived. */
  amount: number
  /** TCoin per VND. */
  rate: number
  /** The order it pays for; null when an operator credits a player directly. */
  order: {
    id: string
    code: string
    userId: string
    status: PaidStatus
    hasBonus: boolean
    /** Whether its TCoin buy something after this. */
    buys: boolean
  } | null
  /** When the payer's bank made it, as far as that is known. */
  paidAt: Date
  /** Now; written in the player's mail. */
  at: Date
  /** How often a credit of this transfer was reversed: each next one is an operation of its own to the ledger. */
  reversals: number
  actor: LedgerActor
}

/**
 * Turns money that arrived into TCoin, once: the ledger refuses a second credit of one bank transaction, unless the one
 * before was reversed. What the player owes is paid from it first. The caller has locked the event or the stored bank
 * transaction, then the order and the wallet. Answers the TCoin.
 */
export async function creditTransfer(
  { vault, publicUrl, log }: Pick<BankInboxDeps, 'vault' | 'publicUrl' | 'log'>,
  tx: Tx,
  crediting: Crediting,
): Promise<number> {
  const { event, transfer, player, amount, rate, order, paidAt, at, actor } = crediting
  const coins = coinsFor(amount, rate)
  // Before the house account's row is locked, for which others wait until the commit.
  if (order !== null) await markOrderPaid(tx, { ...order, coins })
  const source = sourceOf(crediting)
  const posted = await postTransferWithNext(tx, {
    kind: 'recharge',
    debit: HOUSE.recharge,
    credit: player.walletId,
    amount: coins,
    source,
    ...actor,
  })
  const bonus = order && (await giveBonus(tx, { order, player, amountVnd: amount, paidAt, actor }))
  const balance = player.balance + coins + (bonus?.coins ?? 0)
  const code = order?.code ?? null
  const notices = [
    noticePart(tx, player.id, {
      event: 'recharge-credited',
      subject: source.id,
      data: { coins, bonus: bonus?.coins ?? 0, paid: Math.min(player.debt, balance), code },
    }),
    reachedStepsPart(tx, { userId: player.id, amount, bookedAt: transfer.bookedAt }, at),
  ]
  const stored = toStore({ id: transfer.id, source, coins }, crediting, notices)
  let paid = 0
  if (player.debt === 0) await sendWithNext(tx, stored.compile(tx))
  else {
    await stored.execute(tx)
    const cause = { type: 'ledger_transfer', id: posted().transferId }
    paid = await settleDebt(tx, { player, source: cause, actor })
  }
  afterCommit('report a credit', () =>
    log.info(
      {
        event: 'payment.credited',
        orderCode: order?.code ?? null,
        provider: event?.event.provider ?? null,
        providerEventId: event?.event.providerEventId ?? null,
        bankRef: transfer.bankRef,
        bankTransactionId: transfer.id,
        transferId: posted().transferId,
        userId: player.id,
        amount,
        coins,
        bonus: bonus?.coins ?? 0,
        ...actor,
      },
      'a payment was credited',
    ),
  )
  const { username, email } = player
  if (email !== null) {
    await queueMailWithNext(
      vault,
      tx,
      creditedMail(
        { to: email, username },
        { amount, coins, bonus, balance: balance - paid, code, at, publicUrl },
      ),
    )
  }
  return coins
}

/** The cause that the ledger has the movement by. */
const sourceOf = ({ transfer, reversals }: Crediting) => ({
  type: 'bank_transaction',
  id: reversals === 0 ? transfer.id : `${transfer.id}:${reversals}`,
})

function toStore(credited: StoredCredit, { event, order }: Crediting, notices: RawBuilder<unknown>[]) {
  if (event === null) return markCredited(credited, notices)
  invariant(order, 'what is credited without an operator pays for an order')
  return insertCredited(credited, event, { accountNumber: event.accountNumber, order, notices })
}

type Credited = {
  /** VND that arrived. */
  amount: number
  coins: number
  bonus: { title: string; coins: number } | null
  /** The player's TCoin now. */
  balance: number
  /** Null where an operator found out whose money it is. */
  code: string | null
  at: Date
  publicUrl: string
}

const creditedMail = (
  to: Addressee,
  { amount, coins, bonus, balance, code, at, publicUrl }: Credited,
): Mail => ({
  kind: 'recharge-credited',
  ...to,
  subject: `Bạn đã nạp ${formatNumber(coins)} TCoin`,
  paragraphs: [
    `Khoản chuyển ${formatNumber(amount)} VND của bạn đã đến và TCoin đã vào ví.`,
    `Đã cộng: ${formatNumber(coins)} TCoin`,
    ...(bonus === null ? [] : [`Thưởng nạp “${bonus.title}”: ${formatNumber(bonus.coins)} TCoin`]),
    ...(code === null ? [] : [`Đơn nạp: ${code}`]),
    `Lúc: ${formatMoment(at.toISOString())} (giờ Việt Nam)`,
    `Số dư mới: ${formatNumber(balance)} TCoin`,
  ],
  action: { label: 'Xem lịch sử giao dịch', url: publicUrl + paths.transactions },
  closing: ['Nếu bạn không chuyển khoản này, hãy báo cho ban quản trị.'],
})

/** A transfer whose credit a player has. */
export type CreditedTransfer = LockedTransfer & { userId: string; transferId: string }

type CreditReversal = {
  /** Credited, and locked. */
  transfer: CreditedTransfer
  /** What becomes of the transfer: an operator's mistake is decided again, the bank's reversal is final. */
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
  const isByBank = outgoingId !== null
  if (transfer.orderId !== null) await lockOrderById(tx, transfer.orderId)
  const player = await lockTrader(tx, transfer.userId)
  const actor = ledgerActor(operator)
  const { transferId, lent: lentForMoney } = await reverseCredit(tx, {
    player,
    original: { transferId: transfer.transferId, amount: transfer.credited, debit: HOUSE.recharge },
    actor,
  })
  const bonus =
    transfer.orderId === null
      ? NO_BONUS
      : await reopenOrder(tx, {
          orderId: transfer.orderId,
          status: becomes.state === 'review' ? 'review' : 'cancelled',
          player: { ...player, balance: Math.max(0, player.balance - transfer.credited) },
          actor,
        })
  const lent = lentForMoney + bonus.lent
  const ids = { transfer_id: transferId, bank_transaction_id: transfer.id, outgoing_id: outgoingId }
  await markCreditReversed(tx, { ...ids, lent }, becomes)
  afterCommit('report a reversal', () =>
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
        bonus: bonus.coins,
        lent,
        byBank: isByBank,
        ...ledgerActor(operator),
      },
      'the credit of a payment was reversed',
    ),
  )
  const notified = await findNotifiedTrader(tx, transfer.userId)
  invariant(notified, 'whose credit is reversed exists')
  const { username, email, debt } = notified
  await addNotice(tx, transfer.userId, {
    event: 'recharge-reversed',
    subject: transfer.transferId,
    data: { coins: transfer.credited + bonus.coins, debt, isByBank },
  })
  if (email !== null) {
    const reversed = { coins: transfer.credited + bonus.coins, debt, isByBank, publicUrl }
    await queueMailWithNext(vault, tx, creditReversedMail({ to: email, username }, reversed))
  }
  return { lent }
}

const NO_BONUS = { lent: 0, coins: 0 }

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
