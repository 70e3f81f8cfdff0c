import type { Payments } from '#server/modules/payment-providers/index.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'

export type BankInboxDeps = PlatformDeps & {
  /** Where links in letters lead. */
  publicUrl: string
  payments: Payments
}
