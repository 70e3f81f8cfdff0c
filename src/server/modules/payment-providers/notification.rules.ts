import type { BankEvent, ProviderName, ToldEvent } from './bank-event.rules.ts'

/** A notification as it came to its provider's door. */
export type Notice = {
  /** The bytes over the wire. */
  raw: Buffer
  /** By their names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/**
 * `stale` is a right signature over a wrong time: worth keeping for an operator, never worth crediting. `unreadable` is
 * no JSON where the signature is in or over what the JSON says: there is nothing to judge.
 */
export type NoticeVerdict = 'valid' | 'stale' | 'bad' | 'unreadable'

/** One thing a notification tells. `part` is what tells it, where the notification tells several things. */
export type Told = { part?: Buffer } & (
  | { kind: 'movement'; event: BankEvent }
  /** Nothing moved, or not yet: an attempt that failed, one that waits. Kept for operators with its reason. */
  | { kind: 'no-money'; event: ToldEvent; reason: string }
  /** A row of a list whose other rows can be read. Its event holds what could be made out, under an id of its own. */
  | { kind: 'unreadable'; event: ToldEvent; reason: string }
)

export type ReadNotice =
  | { ok: true; told: Told[] }
  /** `field` is empty when it is no JSON object at all. */
  | { ok: false; field: string }

/** How one provider's notifications are checked and read. */
export type NoticeReader = {
  provider: ProviderName
  /** What the provider wants to hear when its notification is safe with us: 200 with `{"success":true}`, or 204. */
  success: 200 | 204
  verify(notice: Notice, now: Date): NoticeVerdict
  /** Reads bytes whose signature was found right. */
  read(raw: Buffer): ReadNotice
}

/** A header given twice counts as absent: which of the two was meant is anybody's guess. */
export function oneHeader({ headers }: Notice, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}
