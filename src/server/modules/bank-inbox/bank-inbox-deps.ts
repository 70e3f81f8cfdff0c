import type { MomoClient, PaymentKeys } from '#server/modules/payment-providers/index.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'

export type BankInboxDeps = PlatformDeps & {
  /** Where links in letters lead. */
  publicUrl: string
  paymentKeys: PaymentKeys
  /** The account of the gateway's merchant, where there is one, and whom to ask there. */
  paymentClients: { momoMerchant: string | null; momo: MomoClient | null }
}
