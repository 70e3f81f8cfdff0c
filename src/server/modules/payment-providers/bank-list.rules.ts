import * as z from 'zod/mini'

/** A stretch of time on one receiving account, both ends included. */
export type ListWindow = {
  accountNumber: string
  from: Date
  to: Date
  /** Only movements from this one on, as the provider numbers them; where its list can do that. */
  sinceId?: string
}

export type PulledRow = {
  event: BankEvent
  /** The row as the list gave it. */
  raw: Buffer
}

/** A provider's list, read to its end. */
export type PulledList = {
  rows: PulledRow[]
  /** Names of the fields that made rows unreadable, one for each such row. */
  unreadable: string[]
}

/** What a provider answers about the past. Its ids are those its notifications carry. */
export type BankList = {
  provider: string
  /** Throws a ProviderFailure when the list cannot be read to its end: an incomplete list is not used. */
  pull(window: ListWindow): Promise<PulledList>
}

/** Whole VND as a list writes them: a number, or text that may carry the decimals VND does not have. */
export const listedVnd = z.pipe(
  z.union([z.number(), z.string().check(z.regex(/^-?\d{1,16}(\.0{1,4})?$/))]),
  z.transform((given, context) => {
    const amount = Number(given)
    if (Number.isSafeInteger(amount) && Math.abs(amount) <= MAX_TRANSFER_VND) return amount
    context.issues.push({ code: 'custom', message: 'whole VND', input: given })
    return z.NEVER
  }),
)

// PostgreSQL cannot keep U+0000 in a text.
export const listedText = z.pipe(
  z.nullish(z.union([z.string(), z.number()])),
  z.transform((text) => String(text ?? '').replaceAll('\u0000', '')),
)

export const listedId = z.pipe(
  z.union([z.int().check(z.gte(1)), z.string().check(z.regex(/^[1-9]\d{0,18}$/))]),
  z.transform(String),
)

/** Reads each row by itself, so that one that cannot be read does not hide the others. */
export function readRows(
  rows: readonly unknown[],
  readRow: (row: unknown) => { event: BankEvent } | { fault: string },
): PulledList {
  const list: PulledList = { rows: [], unreadable: [] }
  for (const row of rows) {
    const read = readRow(row)
    if ('fault' in read) list.unreadable.push(read.fault)
    else list.rows.push({ event: read.event, raw: Buffer.from(JSON.stringify(row)) })
  }
  return list
}

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
