import type { Db } from '#server/platform/db/database.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'

export type SessionKind = 'player' | 'console'

export type LiveSession = {
  id: string
  userId: string
  roles: string[]
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

type Kept = { session: LiveSession; until: number }

/** Players' sessions that were read a moment ago, by the hash of their token; the least recently used are left out first. */
export class SessionMemory {
  readonly #kept = new Map<string, Kept>()
  readonly #keyOf = new Map<string, string>()
  #forgotten = 0

  /** Counts what was forgotten: a session that was read before something was is not kept. */
  get forgotten(): number {
    return this.#forgotten
  }

  find(tokenHash: Buffer): LiveSession | undefined {
    const key = tokenHash.toString('base64')
    const kept = this.#kept.get(key)
    if (kept === undefined) return undefined
    this.#remove(key, kept)
    if (performance.now() >= kept.until) return undefined
    this.#add(key, kept)
    return kept.session
  }

  keep(tokenHash: Buffer, session: LiveSession): void {
    const until = performance.now() + Math.min(AGE_MAX_MS, session.endsInMs)
    const key = tokenHash.toString('base64')
    this.#kept.delete(key)
    this.#add(key, { session, until })
    for (const [oldest, kept] of this.#kept) {
      if (this.#kept.size <= SESSIONS_MAX) break
      this.#remove(oldest, kept)
    }
  }

  forget(sessionId: string): void {
    this.#forgotten++
    const key = this.#keyOf.get(sessionId)
    const kept = key === undefined ? undefined : this.#kept.get(key)
    if (key !== undefined && kept !== undefined) this.#remove(key, kept)
  }

  forgetAll(): void {
    this.#forgotten++
    this.#kept.clear()
    this.#keyOf.clear()
  }

  #add(key: string, kept: Kept): void {
    this.#kept.set(key, kept)
    this.#keyOf.set(kept.session.id, key)
  }

  #remove(key: string, { session }: Kept): void {
    this.#kept.delete(key)
    this.#keyOf.delete(session.id)
  }
}

const memories = new WeakMap<Db, SessionMemory>()

/** A session was ended by this process. */
export const forgetSession = (db: Db, sessionId: string): void => memories.get(db)?.forget(sessionId)

/** That of this process. */
export function sessionMemoryOf({ db, listener }: Pick<PlatformDeps, 'db' | 'listener'>): SessionMemory {
  const known = memories.get(db)
  if (known !== undefined) return known
  const memory = new SessionMemory()
  memories.set(db, memory)
  listener.on('session_ended', (id) => memory.forget(id))
  // Messages may have been missed while the connection was away.
  listener.onReconnect(() => memory.forgetAll())
  return memory
}
