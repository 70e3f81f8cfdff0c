import * as z from 'zod/mini'
import { formatNumber } from '#contract/format.ts'
import { transferBody } from '#contract/transfers.ts'
import { transferCopy as copy } from '#web/features/transfers/transfer.copy.ts'
import { missingCopy } from '#web/parts/amounts/missing-coins.tsx'

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
  return { ...checkPayee(payee, terms), ...checkAmount(amount, { ...terms, isActivating: activate }) }
}

function checkPayee(payee: string, { username }: TransferTerms): TransferProblems {
  const parsed = z.safeParse(transferBody.shape.payee, payee)
  if (!parsed.success) return { payee: parsed.error.issues[0]?.message }
  return parsed.data.toLowerCase() === username.toLowerCase() ? { payee: copy.self } : {}
}

function checkAmount(
  amount: number | null,
  { balance, activeFee, min, dailyLimit, isActivating }: TransferTerms & { isActivating: boolean },
): TransferProblems {
  if (amount === null) return { amount: copy.amountMissing }
  const parsed = z.safeParse(transferBody.shape.amount, amount)
  if (!parsed.success) return { amount: parsed.error.issues[0]?.message }
  if (amount < min) return { amount: copy.tooSmall(formatNumber(min)) }
  if (isActivating && amount < activeFee) return { amount: copy.feeNotCovered(formatNumber(activeFee)) }
  if (amount > dailyLimit) return { amount: copy.tooLarge(formatNumber(dailyLimit)) }
  if (amount > balance)
    return { amount: missingCopy.missing(formatNumber(amount - balance)), missing: amount - balance }
  return {}
}
