import type { PaymentClients, PaymentKeys } from '#server/modules/payment-providers/index.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'

export type RechargeDeps = PlatformDeps & {
  /** Where links in letters lead, and providers send what they have to tell. */
  publicUrl: string
  paymentKeys: PaymentKeys
  /** What the portal asks the providers itself. */
  paymentClients: PaymentClients
  /** Null: there is no sandbox. Else its notifications go through the public door at this address. */
  sandbox: { portalUrl: string } | null
}
