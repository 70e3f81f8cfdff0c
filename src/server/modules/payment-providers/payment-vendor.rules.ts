import type * as z from 'zod'
import type { BankList, PulledRow } from './bank-list.rules.ts'
import type { NotificationReader } from './notification.rules.ts'

/**
 * Everything the portal knows about one vendor of payment services. Its folder exports one of these, and `registry.ts`
 * lists it: webhook, lists, checkouts, environment and demo secrets follow. What is not configured opens as null.
 */
export type PaymentVendor<Environment extends z.ZodObject = z.ZodObject> = {
  /** As in `/api/webhooks/<name>` and in the database. */
  name: string
  /** The variables it is configured by, with checks of how they fit together. */
  env: Environment
  openNotices(env: z.output<Environment>): NotificationReader | null
  openList?(env: z.output<Environment>, pace: Pace): BankList | null
  openCheckout?(env: z.output<Environment>): CheckoutClient | null
  openSandbox?(env: z.output<Environment>): SandboxSender | null
}

/** Between two calls to a list, in milliseconds; the vendor's own pace when left out. */
export type Pace = { paceMs?: number | undefined }

/** Plays the vendor in a demo: the headers by which a notification of its own would be signed. */
export type SandboxSender = {
  provider: string
  sign(body: string, now: Date): Record<string, string>
}

export type CheckoutOrder = {
  code: string
  /** The order's name at the vendor, by `namesOrdersBy`. */
  providerOrder: string
  amountVnd: number
  /** The account our own QR of the order names. */
  account: { bin: string; number: string }
  notificationUrl: string
  returnUrl: string
}

/** `qr` is null where the QR of our own is the one to show. */
export type MadeCheckout = { payUrl: string; qr: string | null }

export type CheckoutOutcome = {
  /** `failed`: it will never be paid. `unknown`: the vendor has no such order. */
  state: 'paid' | 'pending' | 'failed' | 'unknown'
  /** The payments the vendor has counted towards the order, under the ids of its notifications. */
  payments: PulledRow[]
}

/** Creates and queries our orders at a vendor. Every call throws a ProviderFailure when it failed or its outcome is unknown. */
export type CheckoutClient = {
  provider: string
  /** The channels whose new orders it keeps; none while it is only asked about earlier ones. */
  channels: readonly number[]
  /**
   * The vendor's account for us, where players pay to that: then they pay on the vendor's page, and an order it did not
   * make cannot be paid. Null where they pay to our own account, whatever the vendor does.
   */
  gateway: GatewayAccount | null
  namesOrdersBy: 'code' | 'number'
  create(order: CheckoutOrder): Promise<MadeCheckout>
  /** `requestId` is the one the order was made by, `attempt` the number of this question. */
  find(order: {
    code: string
    providerOrder: string
    requestId: string
    attempt: number
  }): Promise<CheckoutOutcome>
  refunds?: RefundClient
}

export type GatewayAccount = {
  channel: number
  bin: string
  number: string
  /** VND that one payment can bring at most. */
  maxVnd: number
}

export type GatewayRefund = {
  /** A new one for each refund, and the id of its request; kept, it makes a repeat the same refund. */
  refundOrder: string
  /** The vendor's number of the payment that goes back. */
  transId: string
  amountVnd: number
}

/** The state of a refund at the vendor. */
export type RefundOutcome =
  | { kind: 'refunded'; transId: string }
  /** It surely did not happen and will not. */
  | { kind: 'refused'; resultCode: number }
  /** Nobody knows yet. */
  | { kind: 'pending'; resultCode: number }
  /** Only when asked about it: the vendor knows no such refund. */
  | { kind: 'unknown-refund' }

export type RefundClient = {
  /** Sends money back. Throws a ProviderFailure when the outcome is unknown. */
  refund(refund: GatewayRefund): Promise<RefundOutcome>
  /** The state of a refund that was asked for; each query has an id of its own. */
  query(asked: Pick<GatewayRefund, 'refundOrder' | 'amountVnd'> & { queryId: string }): Promise<RefundOutcome>
}
