import type { BankEvent, UncreditedEvent } from './bank-event.rules.ts'
import { readNotificationJson, type JsonValue } from './notification-json.rules.ts'

/** A notification as it arrived at its vendor's webhook. */
export type ReceivedNotification = {
  /** The bytes over the wire. */
  raw: Buffer
  /** By their names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/**
 * `stale` is a right signature over a wrong time: worth keeping for an operator, never worth crediting. `unreadable` is
 * no JSON where the signature is in or over what the JSON says: there is nothing to judge.
 */
export type NotificationVerdict = 'valid' | 'stale' | 'bad' | 'unreadable'

/** One payment event a notification holds. `part` is its own piece of the body, where the notification holds several. */
export type PaymentEventFact = { part?: Buffer } & (
  | { kind: 'movement'; event: BankEvent }
  /** Nothing moved, or not yet: an attempt that failed, one that waits. Kept for operators with its reason. */
  | { kind: 'no-money'; event: UncreditedEvent; reason: string }
  /** A row of a list whose other rows can be read. Its event holds what could be made out, under an id of its own. */
  | { kind: 'unreadable'; event: UncreditedEvent; reason: string }
)

export type ReadNotification =
  | { ok: true; events: PaymentEventFact[] }
  /** `field` is empty when it is no JSON object at all. */
  | { ok: false; field: string }

/** How one provider's notifications are checked and read. */
export type NotificationReader = {
  provider: string
  /** The answer the provider expects once its notification is stored: 200 with `{"success":true}`, or 204. */
  success: 200 | 204
  verify(notification: ReceivedNotification, now: Date): NotificationVerdict
  /** Reads bytes whose signature was found right. */
  read(raw: Buffer): ReadNotification
}

/** For signatures inside the body, over what its JSON says. */
export function verdictOnJson(raw: Buffer, isSigned: (body: JsonValue) => boolean): NotificationVerdict {
  const body = readNotificationJson(raw)
  if (body === undefined) return 'unreadable'
  return isSigned(body) ? 'valid' : 'bad'
}

/** A header given twice counts as absent: which of the two was meant is anybody's guess. */
export function oneHeader({ headers }: ReceivedNotification, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}
