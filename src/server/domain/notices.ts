import type { Db } from '#server/platform/db/database.ts'
import * as notices from '#server/platform/db/notices.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

/** The channels of PostgreSQL's NOTIFY, and what a message on them says. */
export type Channel =
  /** What pages show was changed: which content. */
  | 'content_changed'
  /** The player whose purchases changed. */
  | 'delivery_changed'
  | 'delivery_due'
  | 'mail_due'
  /** What operators are waited for with: a list's name. */
  | 'operator_event'
  /** The code of the order that changed. */
  | 'recharge_order'
  /** The id of a session that was ended early. */
  | 'session_ended'

/** Notifies all processes after the commit; a hint that may be lost. */
export const notify: (db: Db | Tx, channel: Channel, message?: string) => void = notices.notify
