export type CachedPage = { etag: string; bodies: Record<'identity' | 'gzip' | 'br', Buffer> }

type Entry<P> = { page: P; bytes: number; freshUntil_ms: number; usableUntil_ms: number }

type Limits = { countMax: number; bytesMax: number; ageMax_ms: number }

export type PageCache<P extends CachedPage> = {
  /** The page while it is fresh. */
  get: (key: string) => P | undefined
  /**
   * The last page that was rendered, for use when rendering fails. It then counts as fresh for a few seconds, so that
   * not every visitor waits for another failure.
   */
  lastGood: (key: string) => P | undefined
  isMaking: (key: string) => boolean
  /** Makes a page, once for all requests that arrive meanwhile, and stores it if `isKept`. */
  make: (key: string, work: { render: () => Promise<P>; isKept: (page: P) => boolean }) => Promise<P>
  /** Every page is rendered again at its next request; pages being rendered now are not stored. */
  dropAll: () => void
}

const DEFAULT_LIMITS: Limits = {
  countMax: 500,
  bytesMax: 64 * 1024 * 1024,
  // View counts lag by at most this, together with the time they take to be written.
  ageMax_ms: 30_000,
}

/** How long the last good page may replace one that cannot be rendered. */
const LAST_GOOD_MS = 3_600_000
/** How long it does so before rendering is tried again. */
const HOLD_MS = 2_000

/** Rendered pages by address; the least recently used ones are removed first. */
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
      // Moved to the end: the first entries are the least recently used.
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
      const startedIn = generation
      const inFlight = underWay
      const work = render()
        .then((page) => {
          // Content changed meanwhile: this page may show the former content, so it is not stored.
          if (generation !== startedIn) return page
          if (isKept(page)) keep(key, page)
          // A page that no longer exists must not be used when the next rendering fails.
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
      // Later requests must not share a rendering that started before.
      underWay = new Map()
    },
  }
}
