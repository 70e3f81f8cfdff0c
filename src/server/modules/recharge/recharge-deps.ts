import type { PaymentKeys } from '#server/modules/payment-providers/index.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'

export type RechargeDeps = PlatformDeps & {
  /** Where links in letters lead. */
  publicUrl: string
  paymentKeys: PaymentKeys
  /** Null: there is no sandbox. Else its notifications go through the public door at this address. */
  sandbox: { portalUrl: string } | null
}
