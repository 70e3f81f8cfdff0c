import type { Payments } from '#server/modules/payment-providers/index.ts'
import type { TransferLetters } from '#server/modules/proposals/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'

export type BankInboxDeps = PlatformDeps &
  TransferLetters & {
    /** The base of links in mails. */
    publicUrl: string
    payments: Payments
    /** Whether what is above the limit of manual credits waits for a second person. */
    isSecondPersonNeeded: boolean
  }

/** Who acts on money that came in. */
export type Operator = { id: string; permissions: readonly string[]; requestId: string }
