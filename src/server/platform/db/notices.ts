import { sql } from 'kysely'
import { escapeIdentifier, type Client } from 'pg'
import type { Log } from '../log/log.ts'
import { markAway } from '../log/outages.ts'
import { count } from '../metrics/metrics.ts'
import { boundedClient, STATEMENT_MS } from './bounded-client.ts'
import { logOf, type Db } from './database.ts'
import { afterCommit, type Tx } from './transaction.ts'
import { clientOf, namesOfHosts } from './writable-client.ts'

type Notice = { channel: string; message: string }

/** More than this many that wait at once are left out: whoever misses one finds the change at their next poll. */
const WAITING_MAX = 10_000

/**
 * Notifies all processes, after the commit when the caller is inside a transaction. A transaction that has notified takes
 * a lock of the whole server for its commit, one at a time: money would wait for it. So this is a hint that may be lost,
 * with the process that dies in between or with its connection; every listener also polls.
 */
export function notify(db: Db | Tx, channel: string, message = ''): void {
  if (db.isTransaction) afterCommit('send a notice', (root) => sendSoon(root, { channel, message }))
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
  // Notices of the code that is still running go into the first statement.
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

/** Resolves when all notices so far are sent; before a database is closed. */
export async function noticesSent(db: Db): Promise<void> {
  await outboxes.get(db)?.sending
}

type Listener = (payload: string) => void

/** The name that PostgreSQL shows for the listening connection of each process. */
export const LISTENER_NAME = 'cong-ninja listen'

const RECONNECT_MS = 1_000
const CONNECT_MS = 5_000
/** A connection that only listens would never notice that the other end is gone. */
const QUESTION_EVERY_MS = 5_000

/**
 * PostgreSQL's NOTIFY, received on a separate connection. Notifications only save waiting and may
 * be lost: listeners also poll, and `onReconnect` reports that some may have been missed.
 */
export class DatabaseListener<Channel extends string = string> {
  readonly #url: string
  readonly #log: Log
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #reconnectListeners = new Set<() => void>()
  #client: Client | null = null
  /** The next statement waits for it, since a client takes one at a time. */
  #lastStatement: Promise<unknown> = Promise.resolve()
  #isClosed = false
  #timer: NodeJS.Timeout | null = null

  constructor(url: string, log: Log) {
    this.#url = url
    this.#log = log
  }

  async open(): Promise<void> {
    const client = new (boundedClient(clientOf(this.#url), STATEMENT_MS))({
      connectionString: this.#url,
      application_name: LISTENER_NAME,
      connectionTimeoutMillis: CONNECT_MS,
    })
    client.on('notification', ({ channel, payload }) => {
      for (const listener of this.#listeners.get(channel) ?? []) listener(payload ?? '')
    })
    client.on('error', (error) => this.#lost(client, error))
    client.on('end', () => this.#lost(client, new Error('the connection ended')))
    await client.connect()
    this.#client = client
    this.#lastStatement = Promise.resolve()
    for (const channel of this.#listeners.keys()) this.#send('LISTEN', channel)
    await this.#lastStatement
    this.#question(client)
  }

  /** Until the connection is another one: queries it now and then, and without an answer the client gives up. */
  #question(client: Client): void {
    const timer = setInterval(() => {
      if (this.#client !== client || this.#isClosed) return clearInterval(timer)
      this.#lastStatement = this.#lastStatement.then(() => client.query('SELECT')).catch(() => {})
    }, QUESTION_EVERY_MS)
    timer.unref()
  }

  /** Calls `listener` for each message; returns a function that stops it. */
  on(channel: Channel, listener: Listener): () => void {
    const listeners = this.#listeners.get(channel) ?? new Set()
    if (listeners.size === 0) {
      this.#listeners.set(channel, listeners)
      this.#send('LISTEN', channel)
    }
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      this.#listeners.delete(channel)
      this.#send('UNLISTEN', channel)
    }
  }

  /** Whether the connection is open. */
  get isConnected(): boolean {
    return this.#client !== null
  }

  onReconnect(listener: () => void): void {
    this.#reconnectListeners.add(listener)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer) clearTimeout(this.#timer)
    await this.#client?.end().catch(() => {})
  }

  #send(command: 'LISTEN' | 'UNLISTEN', channel: string): void {
    const client = this.#client
    // A failure here means that the connection is lost, and the reconnect listens again.
    this.#lastStatement = this.#lastStatement
      .then(() => client?.query(`${command} ${escapeIdentifier(channel)}`))
      .catch(() => {})
  }

  #lost(client: Client, error: Error): void {
    if (this.#isClosed || this.#client !== client) return
    this.#client = null
    const place = `PostgreSQL at ${namesOfHosts(this.#url)}`
    this.#log.warn({ err: markAway(error, place) }, 'the notification connection was lost')
    this.#reconnectSoon()
  }

  #reconnectSoon(): void {
    this.#timer = setTimeout(() => {
      this.open().then(
        () => {
          for (const listener of this.#reconnectListeners) listener()
        },
        () => this.#reconnectSoon(),
      )
    }, RECONNECT_MS)
    this.#timer.unref()
  }
}
