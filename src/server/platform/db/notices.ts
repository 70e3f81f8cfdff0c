import { sql } from 'kysely'
import { count } from '../metrics/metrics.ts'
import { logOf, type Db } from './database.ts'
import { afterCommit, type Tx } from './transaction.ts'

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

type Notice = { channel: Channel; message: string }

/** More than this many that wait at once are left out: whoever misses one finds the change at their next poll. */
const WAITING_MAX = 10_000

/**
 * Notifies all processes, after the commit when the caller is inside a transaction. A transaction that has notified takes
 * a lock of the whole server for its commit, one at a time: money would wait for it. So this is a hint that may be lost,
 * with the process that dies in between or with its connection; every listener also polls.
 */
export function notify(db: Db | Tx, channel: Channel, message = ''): void {
  if (db.isTransaction) afterCommit((root) => sendSoon(root, { channel, message }))
  else sendSoon(db, { channel, message })
}

type Outbox = { waiting: Map<string, Notice>; sending: Promise<void> | null }

const outboxes = new WeakMap<Db, Outbox>()

/** Nobody waits for it. What comes while a statement is under way goes together with the next one. */
function sendSoon(db: Db, notice: Notice): void {
  const outbox = outboxes.get(db) ?? { waiting: new Map<string, Notice>(), sending: null }
  outboxes.set(db, outbox)
  const key = `${notice.channel} ${notice.message}`
  if (outbox.waiting.size >= WAITING_MAX && !outbox.waiting.has(key)) {
    count('portal_notices_total', { outcome: 'dropped' })
    return
  }
  outbox.waiting.set(key, notice)
  outbox.sending ??= sendAll(db, outbox)
}

async function sendAll(db: Db, outbox: Outbox): Promise<void> {
  // What the running code still tells goes into the first statement.
  await Promise.resolve()
  while (outbox.waiting.size > 0) {
    const notices = [...outbox.waiting.values()]
    outbox.waiting.clear()
    const outcome = await send(db, notices)
    count('portal_notices_total', { outcome }, notices.length)
  }
  outbox.sending = null
}

async function send(db: Db, notices: readonly Notice[]): Promise<'sent' | 'failed'> {
  const channels = notices.map(({ channel }) => channel)
  const messages = notices.map(({ message }) => message)
  try {
    await sql`
      SELECT pg_notify(channel, message)
        FROM unnest(${channels}::text[], ${messages}::text[]) AS notice (channel, message)`.execute(db)
    return 'sent'
  } catch (error) {
    logOf(db)?.warn(
      { err: error, notices: notices.length },
      'notices were not sent: polling finds what changed',
    )
    return 'failed'
  }
}

/** Resolves when what was told so far is sent; before a database is closed. */
export async function noticesSent(db: Db): Promise<void> {
  await outboxes.get(db)?.sending
}
