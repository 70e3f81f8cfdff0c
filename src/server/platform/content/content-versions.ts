import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { notify } from '../db/notices.ts'
import { afterCommit, type Tx } from '../db/transaction.ts'
import type { DatabaseListener } from '../db/listener.ts'
import type { Log } from '../log/log.ts'
import { CONTENT_KINDS, isContentKind, type ContentKind } from './content-kinds.ts'

type Deps = { db: Db; listener: DatabaseListener; log: Log }

type Listener = (kinds: readonly ContentKind[]) => void

/** How long a change may go unseen by a process that missed its notice. */
const POLL_MS = 2_000

/**
 * Content of this kind is changed by the transaction. After its commit this process forgets what it keeps of it, before
 * the change is answered; the others when the notice arrives, or at their next poll.
 */
export async function contentChanges(tx: Tx, kind: ContentKind): Promise<void> {
  const { rows } = await sql<{ version: string }>`
    INSERT INTO content_version (kind) VALUES (${kind})
    ON CONFLICT (kind) DO UPDATE SET version = content_version.version + 1 RETURNING version`.execute(tx)
  const version = Number(rows[0]?.version)
  afterCommit((db) => watched.get(db)?.sees(kind, version))
  notify(tx, 'content_changed', `${kind} ${version}`)
}

const watched = new WeakMap<Db, ContentWatch>()

/** How a process hears of changed content; undefined in one that does not watch it, such as the command line. */
export const contentWatchOf = (db: Db): ContentWatch | undefined => watched.get(db)

/** Begins to watch what is changed by any process. */
export function watchContent(deps: Deps): ContentWatch {
  const watch = new ContentWatch(deps)
  watched.set(deps.db, watch)
  return watch
}

export class ContentWatch {
  readonly #deps: Deps
  readonly #known = new Map<ContentKind, number>()
  readonly #listeners = new Set<Listener>()
  readonly #stops: (() => void)[] = []
  #isAway = false

  constructor(deps: Deps) {
    this.#deps = deps
    this.#stops.push(deps.listener.on('content_changed', (message) => this.#hear(message)))
    deps.listener.onReconnect(() => void this.#poll())
    const timer = setInterval(() => void this.#poll(), POLL_MS).unref()
    this.#stops.push(() => clearInterval(timer))
  }

  /** Calls `listener` with what was changed. */
  on(listener: Listener): void {
    this.#listeners.add(listener)
  }

  /** This version of a kind is there. */
  sees(kind: ContentKind, version: number): void {
    if (version <= (this.#known.get(kind) ?? 0)) return
    this.#known.set(kind, version)
    this.tell([kind])
  }

  close(): void {
    for (const stop of this.#stops) stop()
    watched.delete(this.#deps.db)
  }

  /** A message says kind and version; one of an older program says no version, or nothing that is known here. */
  #hear(message: string): void {
    const [kind, version] = message.split(' ')
    if (!isContentKind(kind)) this.tell(CONTENT_KINDS)
    else if (version === undefined) this.tell([kind])
    else this.sees(kind, Number(version))
  }

  /** In this process, what shows these kinds is different from now on. */
  tell(kinds: readonly ContentKind[]): void {
    for (const listener of this.#listeners) listener(kinds)
  }

  async #poll(): Promise<void> {
    try {
      const stored = await this.#deps.db.selectFrom('content_version').selectAll().execute()
      this.#isAway = false
      for (const { kind, version } of stored) if (isContentKind(kind)) this.sees(kind, Number(version))
    } catch (error) {
      if (!this.#isAway) this.#deps.log.warn({ err: error }, 'it is not known whether content was changed')
      this.#isAway = true
    }
  }
}
