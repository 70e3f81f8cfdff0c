import type { Db } from '#server/platform/db/database.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'

export type SessionKind = 'player' | 'console'

export type LiveSession = {
  id: string
  userId: string
  roles: string[]
  /** A role that may approve was taken from them in the last days. */
  isFormerApprover: boolean
  kind: SessionKind
  isLocked: boolean
  steppedUpUntil: Date | null
  isTouchDue: boolean
  /** Until it ends by itself. */
  endsInMs: number
}

/** How long an ended session may go on reading when the notice of its end was lost. */
const AGE_MAX_MS = 4_000
const SESSIONS_MAX = 20_000

type Cached = { session: LiveSession; until: number }

/** Players' sessions that were read a moment ago, by the hash of their token; the least recently used are left out first. */
class SessionCache {
  readonly #cached = new Map<string, Cached>()
  readonly #keyOf = new Map<string, string>()
  #forgotten = 0

  /** Counts what was forgotten: a session that was read before something was is not cached. */
  get forgotten(): number {
    return this.#forgotten
  }

  find(tokenHash: Buffer): LiveSession | undefined {
    const key = tokenHash.toString('base64')
    const cached = this.#cached.get(key)
    if (cached === undefined) return undefined
    this.#remove(key, cached)
    if (performance.now() >= cached.until) return undefined
    this.#add(key, cached)
    return cached.session
  }

  store(tokenHash: Buffer, session: LiveSession): void {
    const until = performance.now() + Math.min(AGE_MAX_MS, session.endsInMs)
    const key = tokenHash.toString('base64')
    this.#cached.delete(key)
    this.#add(key, { session, until })
    for (const [oldest, cached] of this.#cached) {
      if (this.#cached.size <= SESSIONS_MAX) break
      this.#remove(oldest, cached)
    }
  }

  forget(sessionId: string): void {
    this.#forgotten++
    const key = this.#keyOf.get(sessionId)
    const cached = key === undefined ? undefined : this.#cached.get(key)
    if (key !== undefined && cached !== undefined) this.#remove(key, cached)
  }

  forgetAll(): void {
    this.#forgotten++
    this.#cached.clear()
    this.#keyOf.clear()
  }

  #add(key: string, cached: Cached): void {
    this.#cached.set(key, cached)
    this.#keyOf.set(cached.session.id, key)
  }

  #remove(key: string, { session }: Cached): void {
    this.#cached.delete(key)
    this.#keyOf.delete(session.id)
  }
}

const caches = new WeakMap<Db, SessionCache>()

/** A session was ended by this process. */
export const forgetSession = (db: Db, sessionId: string): void => caches.get(db)?.forget(sessionId)

/** That of this process. */
export function sessionCacheOf({ db, listener }: Pick<PlatformDeps, 'db' | 'listener'>): SessionCache {
  const known = caches.get(db)
  if (known !== undefined) return known
  const cache = new SessionCache()
  caches.set(db, cache)
  listener.on('session_ended', (id) => cache.forget(id))
  // Messages may have been missed while the connection was away.
  listener.onReconnect(() => cache.forgetAll())
  return cache
}
