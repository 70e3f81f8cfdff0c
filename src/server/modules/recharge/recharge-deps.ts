import type { Payments } from '#server/modules/payment-providers/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'

export type RechargeDeps = PlatformDeps & {
  /** The base of links in mails and of the webhooks' addresses. */
  publicUrl: string
  payments: Payments
  /** Null: there is no sandbox. Else its notifications go through the public webhook at this address. */
  sandbox: { portalUrl: string } | null
}
