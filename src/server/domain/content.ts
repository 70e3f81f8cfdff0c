import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { DatabaseListener } from '#server/platform/db/notices.ts'
import { afterCommit, type Tx } from '#server/platform/db/transaction.ts'
import type { Log } from '#server/platform/log/log.ts'
import { notify } from './notices.ts'

/** What operators change and pages show. */
export const CONTENT_KINDS = [
  'categories',
  'legal',
  'maintenance',
  'posts',
  'ranking',
  'settings',
  'tournaments',
] as const

export type ContentKind = (typeof CONTENT_KINDS)[number]

export const isContentKind = (text: string | undefined): text is ContentKind =>
  CONTENT_KINDS.some((kind) => kind === text)

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

/** Should a process neither hear of a change nor be able to poll. */
const AGE_MAX_MS = 5_000

type Kept<Value> = { at: number; value: Promise<Value> }
type Memory<Value> = { watch: ContentWatch; kept: Map<string, Kept<Value>> }

/** One answer, whoever asks. */
const ALONE = () => ''

/**
 * `read` from memory: content of a kind that is read far more often than it changes. A transaction always reads the
 * database, and so does a process that does not watch what is changed. What began to be read before a change is not kept.
 * Each `keyOf` is kept apart, so there may be only a few of them, whatever a visitor asks; null is not kept.
 */
export function cachedContent<Value, Asked = void>(
  kind: ContentKind,
  read: (db: Db | Tx, asked: Asked) => Promise<Value>,
  keyOf: (asked: Asked) => string | null = ALONE,
): (db: Db | Tx, asked: Asked) => Promise<Value> {
  const memories = new WeakMap<Db, Memory<Value>>()

  function memoryOf(db: Db, watch: ContentWatch): Memory<Value> {
    const known = memories.get(db)
    if (known?.watch === watch) return known
    const memory: Memory<Value> = { watch, kept: new Map() }
    memories.set(db, memory)
    watch.on((kinds) => {
      if (kinds.includes(kind)) memory.kept.clear()
    })
    return memory
  }

  return (db, asked) => {
    const watch = db.isTransaction ? undefined : contentWatchOf(db)
    const key = keyOf(asked)
    if (watch === undefined || key === null) return read(db, asked)
    const { kept } = memoryOf(db, watch)
    const known = kept.get(key)
    if (known !== undefined && performance.now() - known.at <= AGE_MAX_MS) return known.value
    const fresh = { at: performance.now(), value: read(db, asked) }
    kept.set(key, fresh)
    fresh.value.catch(() => {
      if (kept.get(key) === fresh) kept.delete(key)
    })
    return fresh.value
  }
}
