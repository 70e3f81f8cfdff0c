import { formatNumber } from '#contract/format.ts'
import { belowMinimum, tooFewCoins, feeNotCovered, overDailyLimit } from './transfers.errors.ts'

export type TransferCase = {
  amount: number
  /** The payer requests that the payee is activated out of the amount. */
  isActivationRequested: boolean
  isPayeeActivated: boolean
  /** The payer's balance and what they sent since midnight in Vietnam, both read under the lock. */
  balance: number
  sentToday: number
  activeFee: number
  transferMin: number
  transferDailyLimit: number
  transferOtpLimit: number
}

export type TransferDecision = {
  /** What of the amount activates the payee; null when nothing does. */
  activationFee: number | null
  /** There is no other refusal, but it needs a verified code. */
  needsCode: boolean
}

/** What concerns the payer alone: it is refused before the payee is looked up, so that the refusal reveals nothing about them. */
export function assertPayable(transfer: Pick<TransferCase, 'amount' | 'balance' | 'transferMin'>): void {
  const { amount, balance, transferMin } = transfer
  if (amount < transferMin) throw belowMinimum(transferMin)
  if (balance < amount) throw tooFewCoins(amount - balance)
}

/** What a transfer does besides moving the amount; throws the refusal when it may not happen. */
export function decideTransfer(transfer: TransferCase): TransferDecision {
  const { amount, sentToday, transferDailyLimit, transferOtpLimit } = transfer
  assertPayable(transfer)
  const activationFee =
    transfer.isActivationRequested && !transfer.isPayeeActivated ? transfer.activeFee : null
  if (activationFee !== null && amount < activationFee) throw feeNotCovered(activationFee)
  const left = Math.max(0, transferDailyLimit - sentToday)
  if (amount > left) throw overDailyLimit({ limit: transferDailyLimit, left })
  return { activationFee, needsCode: amount > transferOtpLimit }
}

export function transferMessage(done: {
  amount: number
  payee: string
  activationFee: number | null
}): string {
  const sent = `Đã chuyển ${formatNumber(done.amount)} TCoin cho ${done.payee}`
  if (done.activationFee === null) return sent
  return done.activationFee === 0
    ? `${sent} và kích hoạt tài khoản này`
    : `${sent}, trong đó ${formatNumber(done.activationFee)} TCoin là phí kích hoạt tài khoản`
}
