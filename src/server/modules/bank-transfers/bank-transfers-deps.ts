import type { PlatformDeps } from '#server/platform/deps.ts'

export type BankTransfersDeps = PlatformDeps & {
  /** Where links in letters lead. */
  publicUrl: string
  /** The account of the gateway's merchant, where there is one. */
  paymentClients: { momoMerchant: string | null }
}
