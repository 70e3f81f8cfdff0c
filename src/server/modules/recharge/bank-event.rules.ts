import { findOrderCodes } from './order-code.rules.ts'

/** One movement on a receiving account, in the same words whichever provider reported it. */
export type BankEvent = {
  provider: string
  /** Unique with the provider; what makes a repeated notification the same row. */
  providerEventId: string
  direction: 'in' | 'out'
  amountVnd: number
  accountNumber: string
  /** The bank's own reference, which two providers reporting one transfer share. */
  bankRef: string | null
  /** What the payer wrote, as far as the bank kept it. */
  memo: string
  /** The bank's whole line about the transfer; empty where the provider gives none. */
  fullText: string
  /** The payment code the provider believes to have read. */
  code: string | null
  bookedAt: Date
  counterName?: string
  counterAccount?: string
}

/** More than any transfer a bank takes; above it a figure is an error of the sender. */
export const MAX_TRANSFER_VND = 10_000_000_000_000

export function orderCodesOf(event: Pick<BankEvent, 'code' | 'memo' | 'fullText'>): string[] {
  return findOrderCodes(event.code ?? '', event.memo, event.fullText)
}
