import type { Payments } from '#server/modules/payment-providers/index.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'

export type RechargeDeps = PlatformDeps & {
  /** Where links in letters lead, and vendors send their notifications. */
  publicUrl: string
  payments: Payments
  /** Null: there is no sandbox. Else its notifications go through the public webhook at this address. */
  sandbox: { portalUrl: string } | null
}
