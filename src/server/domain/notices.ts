import type { Db } from '#server/platform/db/database.ts'
import * as notices from '#server/platform/db/notices.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

/** The channels of PostgreSQL's NOTIFY, and what a message on them contains. */
export type Channel =
  /** An account that the game has to be told about. */
  | 'account_changed'
  /** Content that pages show was changed: its kind. */
  | 'content_changed'
  /** The player whose purchases changed. */
  | 'delivery_changed'
  | 'delivery_due'
  | 'mail_due'
  /** The player whose notices changed. */
  | 'notice_changed'
  /** Something waits for operators: the name of its list. */
  | 'operator_event'
  /** Money for an order that buys something was credited. */
  | 'order_purchase_due'
  /** The code of the order that changed. */
  | 'recharge_order'
  /** The id of a session that was ended early. */
  | 'session_ended'
  /** A fee of a tournament has to be taken or given back. */
  | 'tournament_charge_due'
  /** The id of a tournament, and the number of its new event. */
  | 'tournament_changed'

/** Notifies all processes after the commit; a hint that may be lost. */
export const notify: (db: Db | Tx, channel: Channel, message?: string) => void = notices.notify
