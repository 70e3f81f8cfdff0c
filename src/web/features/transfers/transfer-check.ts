import * as z from 'zod/mini'
import { formatNumber } from '#contract/format.ts'
import { transferBody } from '#contract/transfers.ts'
import { amountsCopy } from '#web/parts/amounts/amounts.copy.ts'
import { transferCopy as copy } from '#web/features/transfers/transfer.copy.ts'

export type TransferForm = { payee: string; amount: number | null; activate: boolean }

export type TransferTerms = {
  username: string
  balance: number
  activeFee: number
  min: number
  /** TCoin per day; only the server knows what was sent earlier today. */
  dailyLimit: number
}

export type TransferProblems = { payee?: string; amount?: string; missing?: number }

/** What is wrong with a transfer before it is sent. The server checks again, with the wallets locked. */
export function checkTransfer(
  { payee, amount, activate }: TransferForm,
  terms: TransferTerms,
): TransferProblems {
  return { ...checkPayee(payee, terms), ...checkAmount(amount, { ...terms, wantsActivation: activate }) }
}

function checkPayee(payee: string, { username }: TransferTerms): TransferProblems {
  const judged = z.safeParse(transferBody.shape.payee, payee)
  if (!judged.success) return { payee: judged.error.issues[0]?.message }
  return judged.data.toLowerCase() === username.toLowerCase() ? { payee: copy.self } : {}
}

function checkAmount(
  amount: number | null,
  { balance, activeFee, min, dailyLimit, wantsActivation }: TransferTerms & { wantsActivation: boolean },
): TransferProblems {
  if (amount === null) return { amount: copy.amountMissing }
  const judged = z.safeParse(transferBody.shape.amount, amount)
  if (!judged.success) return { amount: judged.error.issues[0]?.message }
  if (amount < min) return { amount: copy.tooSmall(formatNumber(min)) }
  if (wantsActivation && amount < activeFee) return { amount: copy.feeNotCovered(formatNumber(activeFee)) }
  if (amount > dailyLimit) return { amount: copy.tooLarge(formatNumber(dailyLimit)) }
  if (amount > balance)
    return { amount: amountsCopy.missing(formatNumber(amount - balance)), missing: amount - balance }
  return {}
}
