import * as z from 'zod/mini'

// A file of its own, so that a page that only writes numbers does not load the schema library.
export { formatNumber } from './format-number.ts'

/** The largest amount JSON carries exactly; the ledger's own ceiling (9e15) lies just below it. */
export const COINS_MAX = 9_000_000_000_000_000

const notAWholeNumber = 'Số tiền phải là số nguyên'

/** A positive whole amount that is asked for in words of its own where it is missing. */
export const amountOr = (missing: string) =>
  z
    .number({ error: ({ input }) => (input === undefined || input === null ? missing : notAWholeNumber) })
    .check(
      z.refine((value) => Number.isSafeInteger(value), notAWholeNumber),
      z.gte(1, 'Số tiền phải lớn hơn 0'),
      z.lte(COINS_MAX, 'Số tiền quá lớn'),
    )

/** A positive whole amount of TCoin, VND or luong. Strings, fractions and unsafe numbers are refused, never rounded. */
export const amountSchema = amountOr(notAWholeNumber)
