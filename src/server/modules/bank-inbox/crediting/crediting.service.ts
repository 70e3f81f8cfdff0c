import { formatMoment, formatNumber } from '#contract/format.ts'
import { paths } from '#contract/pages.ts'
import { type Addressee, type Mail, queueMailWithNext } from '#server/modules/mail/index.ts'
import { coinsFor, markOrderPaid } from '#server/modules/recharge/index.ts'
import type { NotifiedTrader } from '#server/modules/traders/index.ts'
import { HOUSE, type LedgerActor, postTransferWithNext, settleDebt } from '#server/modules/wallet/index.ts'
import { afterCommit, sendWithNext, type Tx } from '#server/platform/db/transaction.ts'
import { invariant } from '#server/platform/values/errors.ts'
import type { BankInboxDeps } from '../bank-inbox-deps.ts'
import {
  type CreditedTransfer,
  insertCredited,
  markCredited,
  type StoredEvent,
} from '../intake/settlement.queries.ts'
import type { PaidStatus } from '../matching/matching.rules.ts'

export type Crediting = {
  /** The payment event that reported it and whose transfer is not stored yet; null when an operator credits a stored one. */
  event: StoredEvent | null
  transfer: { id: string; bankRef: string | null }
  /** As they were when their wallet was locked. */
  player: Pick<NotifiedTrader, 'id' | 'walletId' | 'username' | 'email' | 'balance' | 'debt'>
  /** VND that arrived. */
  amount: number
  /** TCoin per VND. */
  rate: number
  /** The order it pays for; null when an operator credits a player directly. */
  order: { id: string; code: string; userId: string; status: PaidStatus } | null
  /** Written in the player's mail. */
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
  const { event, transfer, player, amount, rate, order, at, reversals, actor } = crediting
  const coins = coinsFor(amount, rate)
  // Before the house's row is locked, for which others wait until the commit.
  if (order !== null) await markOrderPaid(tx, { ...order, coins })
  const source = {
    type: 'bank_transaction',
    id: reversals === 0 ? transfer.id : `${transfer.id}:${reversals}`,
  }
  const posted = await postTransferWithNext(tx, {
    kind: 'recharge',
    debit: HOUSE.recharge,
    credit: player.walletId,
    amount: coins,
    source,
    ...actor,
  })
  const stored = toStore({ id: transfer.id, source, coins }, crediting)
  let paid = 0
  if (player.debt === 0) await sendWithNext(tx, stored.compile(tx))
  else {
    await stored.execute(tx)
    const cause = { type: 'ledger_transfer', id: posted().transferId }
    paid = await settleDebt(tx, { player, source: cause, actor })
  }
  const balance = player.balance + coins
  afterCommit(() =>
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
        ...actor,
      },
      'a payment was credited',
    ),
  )
  const { username, email } = player
  if (email !== null) {
    const code = order?.code ?? null
    await queueMailWithNext(
      vault,
      tx,
      creditedMail({ to: email, username }, { amount, coins, balance: balance - paid, code, at, publicUrl }),
    )
  }
  return coins
}

function toStore(credited: CreditedTransfer, { event, order }: Crediting) {
  if (event === null) return markCredited(credited)
  invariant(order, 'what is credited without an operator pays for an order')
  return insertCredited(credited, event, order)
}

type Credited = {
  /** VND that arrived. */
  amount: number
  coins: number
  /** The player's TCoin now. */
  balance: number
  /** Null where an operator found out whose money it is. */
  code: string | null
  at: Date
  publicUrl: string
}

const creditedMail = (to: Addressee, { amount, coins, balance, code, at, publicUrl }: Credited): Mail => ({
  kind: 'recharge-credited',
  ...to,
  subject: `Bạn đã nạp ${formatNumber(coins)} TCoin`,
  paragraphs: [
    `Khoản chuyển ${formatNumber(amount)} VND của bạn đã đến và TCoin đã vào ví.`,
    `Đã cộng: ${formatNumber(coins)} TCoin`,
    ...(code === null ? [] : [`Đơn nạp: ${code}`]),
    `Lúc: ${formatMoment(at.toISOString())} (giờ Việt Nam)`,
    `Số dư mới: ${formatNumber(balance)} TCoin`,
  ],
  action: { label: 'Xem lịch sử giao dịch', url: publicUrl + paths.transactions },
  closing: ['Nếu bạn không chuyển khoản này, hãy báo cho ban quản trị.'],
})
