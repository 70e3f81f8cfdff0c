import type { output, ZodObject } from 'zod'

/**
 * Everything the portal knows about one vendor of payment services. Its folder exports one of these, and `registry.ts`
 * lists it: webhook, lists, checkouts, environment and demo secrets follow. What is not configured opens as null.
 */
export type PaymentVendor<Environment extends ZodObject = ZodObject> = {
  /** As in `/api/webhooks/<name>` and in the database. */
  name: string
  /** The variables it is configured by, with checks of how they fit together. */
  env: Environment
  openNotices(env: output<Environment>): NotificationReader | null
  openList?(env: output<Environment>, pace: Pace): BankList | null
  openCheckout?(env: output<Environment>): CheckoutClient | null
  openSandbox?(env: output<Environment>): SandboxSender | null
}

/** Between two calls to a list, in milliseconds; the vendor's own pace when left out. */
export type Pace = { paceMs?: number | undefined }

/** Plays the vendor in a demo: the headers by which a notification of its own would be signed. */
export type SandboxSender = {
  provider: string
  sign(body: string, now: Date): Record<string, string>
}

type CheckoutOrder = {
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
type MadeCheckout = { payUrl: string; qr: string | null }

export type CheckoutOutcome = {
  /** `failed`: it will never be paid. `unknown`: the vendor has no such order. */
  state: 'paid' | 'pending' | 'failed' | 'unknown'
  /** The payments the vendor has counted towards the order, under the ids of its notifications. */
  payments: PulledRow[]
}

/** Creates and queries our orders at a vendor. Every call throws a ProviderFailure when it failed or its outcome is unknown. */
export type CheckoutClient = {
  provider: string
  /** The channels whose new orders it takes; none while only earlier ones are queried. */
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

type GatewayAccount = {
  channel: number
  bin: string
  number: string
  /** VND that one payment can bring at most. */
  maxVnd: number
}

export type GatewayRefund = {
  /** A new one for each refund, and the id of its request: a repeat with it is the same refund. */
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
  /** Only as the answer to a query: the vendor knows no such refund. */
  | { kind: 'unknown-refund' }

export type RefundClient = {
  /** Sends money back. Throws a ProviderFailure when the outcome is unknown. */
  refund(refund: GatewayRefund): Promise<RefundOutcome>
  /** The state of a requested refund; each query has an id of its own. */
  query(
    refund: Pick<GatewayRefund, 'refundOrder' | 'amountVnd'> & { queryId: string },
  ): Promise<RefundOutcome>
}

/** A stretch of time on one receiving account, both ends included. */
export type ListWindow = {
  accountNumber: string
  from: Date
  to: Date
  /** Only movements from this one on, as the provider numbers them; where its list can do that. */
  sinceId?: string
}

export type PulledRow = {
  event: BankEvent
  /** The row as the list gave it. */
  raw: Buffer
}

/** A row that cannot be read: its event holds what could be made out. */
export type UnreadableRow = PulledRow & { mayCarryMoney: boolean }

/** A provider's list, read to its end. */
export type PulledList = {
  rows: PulledRow[]
  unreadable: UnreadableRow[]
}

/** What a provider answers about the past. Its ids are those its notifications carry. */
export type BankList = {
  provider: string
  /** Throws a ProviderFailure when the list cannot be read to its end: an incomplete list is not used. */
  pull(window: ListWindow): Promise<PulledList>
}

/** One movement on a receiving account, in one shape for all providers. */
export type BankEvent = {
  provider: string
  /** Unique with the provider; what makes a repeated notification the same row. */
  providerEventId: string
  direction: 'in' | 'out'
  amountVnd: number
  /** The receiving account; at MoMo's gateway the merchant's partner code. */
  accountNumber: string
  /** The number on it that the payer was shown, where the bank has such. */
  virtualAccount: string | null
  /** The bank's own reference, which two providers reporting one transfer share. */
  bankRef: string | null
  /** What the payer wrote, as far as the bank stored it. */
  memo: string
  /**
   * The bank's whole line about the transfer; empty where the provider gives none. At MoMo's gateway, where there is no
   * bank's line, the id of the request of ours that the payment answers.
   */
  fullText: string
  /** The payment code the provider believes to have read; at MoMo's gateway the order's own, which no payer writes. */
  code: string | null
  /** When the bank booked it; null where nothing readable was said. */
  bookedAt: Date | null
  /** The account it came from, where the provider says. */
  payerAccount: string | null
}

/** More than any transfer a bank takes; above it a figure is an error of the sender. */
export const MAX_TRANSFER_VND = 10_000_000_000_000

/** A notification as it arrived at its vendor's webhook. */
export type ReceivedNotification = {
  /** The bytes over the wire. */
  raw: Buffer
  /** By their names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/**
 * `stale` is a right signature over a wrong time: stored for an operator, never credited. `unreadable` is
 * no JSON where the signature is in or over the values of the JSON: there is nothing to check.
 */
export type SignatureResult = 'valid' | 'stale' | 'bad' | 'unreadable'

/** One payment event a notification holds. `part` is its own piece of the body, where the notification holds several. */
export type PaymentEventFact = { part?: Buffer } & (
  | { kind: 'movement'; event: BankEvent }
  /** Nothing moved, or not yet: an attempt that failed, one that waits. Stored for operators with its reason. */
  | { kind: 'no-money'; event: BankEvent; reason: string }
  /** Its event holds what could be made out, under an id of its own. */
  | { kind: 'unreadable'; event: BankEvent; mayCarryMoney: boolean }
)

/** How one provider's notifications are checked and read. */
export type NotificationReader = {
  provider: string
  /** The answer the provider expects once its notification is stored: 200 with `{"success":true}`, or 204. */
  success: 200 | 204
  verify(notification: ReceivedNotification, now: Date): SignatureResult
  /** Reads bytes whose signature was found right: one fact at least, whatever they say. */
  read(raw: Buffer, contentType?: string): PaymentEventFact[]
}
