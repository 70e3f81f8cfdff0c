export type CachedPage = { etag: string; bodies: Record<'identity' | 'gzip' | 'br', Buffer> }

type Entry<P> = { page: P; bytes: number; freshUntil_ms: number; usableUntil_ms: number }

type Limits = { countMax: number; bytesMax: number; ageMax_ms: number }

export type PageCache<P extends CachedPage> = {
  /** The page while it is as new as it has to be. */
  get: (key: string) => P | undefined
  /**
   * The last page that could be made, for when a new one cannot. For a few seconds it then passes for a new one, so
   * that not every visitor waits for another failure.
   */
  lastGood: (key: string) => P | undefined
  isMaking: (key: string) => boolean
  /** Makes a page, once for all who ask for it meanwhile, and keeps it when `isKept` says so. */
  make: (key: string, work: { render: () => Promise<P>; isKept: (page: P) => boolean }) => Promise<P>
  /** From now on every page is made again, and whatever is being rendered right now will not be kept either. */
  dropAll: () => void
}

const DEFAULT_LIMITS: Limits = {
  countMax: 500,
  bytesMax: 64 * 1024 * 1024,
  // View counts lag by at most this, together with the time they take to be written.
  ageMax_ms: 30_000,
}

/** How long the last good page may stand in for one that cannot be made. */
const LAST_GOOD_MS = 3_600_000
/** How long it does so before the next try. */
const HOLD_MS = 2_000

/** Rendered pages by address, the least recently used ones leaving first. */
export function createPageCache<P extends CachedPage>(
  limits: Partial<Limits> = {},
  now_ms: () => number = Date.now,
): PageCache<P> {
  const { countMax, bytesMax, ageMax_ms } = { ...DEFAULT_LIMITS, ...limits }
  const entries = new Map<string, Entry<P>>()
  let underWay = new Map<string, Promise<P>>()
  let generation = 0
  let bytesHeld = 0

  function remove(key: string): void {
    bytesHeld -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }

  function keep(key: string, page: P): void {
    remove(key)
    const bytes = Object.values(page.bodies).reduce((sum, body) => sum + body.length, 0)
    if (bytes > bytesMax) return
    const now = now_ms()
    entries.set(key, { page, bytes, freshUntil_ms: now + ageMax_ms, usableUntil_ms: now + LAST_GOOD_MS })
    bytesHeld += bytes
    for (const oldest of entries.keys()) {
      if (entries.size <= countMax && bytesHeld <= bytesMax) break
      remove(oldest)
    }
  }

  return {
    get(key) {
      const entry = entries.get(key)
      if (!entry || now_ms() >= entry.freshUntil_ms) return undefined
      // Back in at the young end.
      entries.delete(key)
      entries.set(key, entry)
      return entry.page
    },

    lastGood(key) {
      const entry = entries.get(key)
      if (!entry || now_ms() >= entry.usableUntil_ms) return undefined
      entry.freshUntil_ms = now_ms() + HOLD_MS
      return entry.page
    },

    isMaking: (key) => underWay.has(key),

    make(key, { render, isKept }) {
      const started = underWay.get(key)
      if (started) return started
      const bornIn = generation
      const inFlight = underWay
      const work = render()
        .then((page) => {
          // Content changed while it was rendered: this page may show the old one, so nobody else gets it.
          if (generation !== bornIn) return page
          if (isKept(page)) keep(key, page)
          // What is gone must not come back when the next rendering fails.
          else remove(key)
          return page
        })
        .finally(() => inFlight.delete(key))
      inFlight.set(key, work)
      return work
    },

    dropAll() {
      generation += 1
      for (const entry of entries.values()) entry.freshUntil_ms = 0
      // Those who ask from now on must not join a render that began before.
      underWay = new Map()
    },
  }
}
