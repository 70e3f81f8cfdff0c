import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { DatabaseListener } from '#server/platform/db/notices.ts'
import { afterCommit, type Tx } from '#server/platform/db/transaction.ts'
import type { Log } from '#server/platform/log/log.ts'
import { notify } from './notices.ts'

/** What operators change and pages show. */
export const CONTENT_KINDS = [
  'categories',
  'game-names',
  'legal',
  'maintenance',
  'posts',
  'ranking',
  'servers',
  'settings',
  'tournaments',
] as const

export type ContentKind = (typeof CONTENT_KINDS)[number]

const isContentKind = (text: string | undefined): text is ContentKind =>
  CONTENT_KINDS.some((kind) => kind === text)

type Deps = { db: Db; listener: DatabaseListener; log: Log }

type Listener = (kinds: readonly ContentKind[]) => void

/** How long a process that missed a notice may not know of a change. */
const POLL_MS = 2_000

/**
 * Content of this kind is changed by the transaction. After its commit this process clears its caches of it,
 * before the change is answered; the others when the notice arrives, or at their next poll.
 */
export async function contentChanges(tx: Tx, kind: ContentKind): Promise<void> {
  const { rows } = await sql<{ version: string }>`
    INSERT INTO content_version (kind) VALUES (${kind})
    ON CONFLICT (kind) DO UPDATE SET version = content_version.version + 1 RETURNING version`.execute(tx)
  const version = Number(rows[0]?.version)
  afterCommit('clear cached content', (db) => watched.get(db)?.noteVersion(kind, version))
  notify(tx, 'content_changed', `${kind} ${version}`)
}

const watched = new WeakMap<Db, ContentWatch>()

/** The watch of a process; undefined in one that does not watch content, such as the command line. */
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
    this.#stops.push(deps.listener.on('content_changed', (message) => this.#receive(message)))
    deps.listener.onReconnect(() => void this.#poll())
    const timer = setInterval(() => void this.#poll(), POLL_MS).unref()
    this.#stops.push(() => clearInterval(timer))
  }

  /** Calls `listener` with what was changed. */
  on(listener: Listener): void {
    this.#listeners.add(listener)
  }

  /** This version of a kind is there. */
  noteVersion(kind: ContentKind, version: number): void {
    if (version <= (this.#known.get(kind) ?? 0)) return
    this.#known.set(kind, version)
    this.announce([kind])
  }

  close(): void {
    for (const stop of this.#stops) stop()
    watched.delete(this.#deps.db)
  }

  /** A message has kind and version; one of an older program has no version, or a kind that is unknown here. */
  #receive(message: string): void {
    const [kind, version] = message.split(' ')
    if (!isContentKind(kind)) this.announce(CONTENT_KINDS)
    else if (version === undefined) this.announce([kind])
    else this.noteVersion(kind, Number(version))
  }

  /** Notifies the listeners of this process that these kinds have changed. */
  announce(kinds: readonly ContentKind[]): void {
    for (const listener of this.#listeners) listener(kinds)
  }

  async #poll(): Promise<void> {
    try {
      const stored = await this.#deps.db.selectFrom('content_version').selectAll().execute()
      this.#isAway = false
      for (const { kind, version } of stored) if (isContentKind(kind)) this.noteVersion(kind, Number(version))
    } catch (error) {
      if (!this.#isAway) this.#deps.log.warn({ err: error }, 'it is not known whether content was changed')
      this.#isAway = true
    }
  }
}

/** The oldest value that is served, should a process neither receive a notice nor be able to poll. */
const AGE_MAX_MS = 5_000

type Cached<Value> = { at: number; value: Promise<Value> }
type Cache<Value> = { watch: ContentWatch; entries: Map<string, Cached<Value>> }

const ONE_KEY = () => ''

/**
 * Caches `read`, for content of a kind that is read far more often than it changes. A transaction always reads the
 * database, and so does a process that does not watch content. What began to be read before a change is not cached.
 * Each `keyOf` is an entry of its own, so there may be only a few, whatever a visitor requests; null is not cached.
 */
export function cachedContent<Value, Input = void>(
  kind: ContentKind,
  read: (db: Db | Tx, input: Input) => Promise<Value>,
  keyOf: (input: Input) => string | null = ONE_KEY,
): (db: Db | Tx, input: Input) => Promise<Value> {
  const caches = new WeakMap<Db, Cache<Value>>()

  function cacheOf(db: Db, watch: ContentWatch): Cache<Value> {
    const known = caches.get(db)
    if (known?.watch === watch) return known
    const cache: Cache<Value> = { watch, entries: new Map() }
    caches.set(db, cache)
    watch.on((kinds) => {
      if (kinds.includes(kind)) cache.entries.clear()
    })
    return cache
  }

  return (db, input) => {
    const watch = db.isTransaction ? undefined : contentWatchOf(db)
    const key = keyOf(input)
    if (watch === undefined || key === null) return read(db, input)
    const { entries } = cacheOf(db, watch)
    const known = entries.get(key)
    if (known !== undefined && performance.now() - known.at <= AGE_MAX_MS) return known.value
    const fresh = { at: performance.now(), value: read(db, input) }
    entries.set(key, fresh)
    fresh.value.catch(() => {
      if (entries.get(key) === fresh) entries.delete(key)
    })
    return fresh.value
  }
}
