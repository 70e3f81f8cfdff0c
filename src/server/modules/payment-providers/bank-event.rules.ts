/** One movement on a receiving account, in one shape for all providers. */
export type BankEvent = {
  provider: string
  /** Unique with the provider; what makes a repeated notification the same row. */
  providerEventId: string
  direction: 'in' | 'out'
  amountVnd: number
  /** The receiving account; at MoMo's gateway the merchant's partner code. */
  accountNumber: string
  /** The bank's own reference, which two providers reporting one transfer share. */
  bankRef: string | null
  /** What the payer wrote, as far as the bank kept it. */
  memo: string
  /**
   * The bank's whole line about the transfer; empty where the provider gives none. At MoMo's gateway, where there is no
   * bank's line, the id of the request of ours that the payment answers.
   */
  fullText: string
  /** The payment code the provider believes to have read; at MoMo's gateway the order's own, which no payer writes. */
  code: string | null
  bookedAt: Date
  counterName?: string
  counterAccount?: string
}

/** What is kept though nothing can be credited from it, and so may lack the time. */
export type UncreditedEvent = Omit<BankEvent, 'bookedAt'> & { bookedAt: Date | null }

/** More than any transfer a bank takes; above it a figure is an error of the sender. */
export const MAX_TRANSFER_VND = 10_000_000_000_000

/** Real transactions are numbered from 1; the trial call of a provider's dashboard is number 0. */
export function isTrialEvent({ providerEventId }: Pick<BankEvent, 'providerEventId'>) {
  return /^0+$/.test(providerEventId)
}
