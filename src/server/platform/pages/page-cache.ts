export type CachedPage = { etag: string; bodies: Record<'identity' | 'gzip' | 'br', Buffer> }

type Entry = { page: CachedPage; madeAt_ms: number; bytes: number }

type Limits = { countMax: number; bytesMax: number; ageMax_ms: number }

export type PageCache<P extends CachedPage> = {
  get: (key: string) => P | undefined
  /** Makes a page, once for all who ask for it meanwhile, and keeps it when `isKept` says so. */
  make: (key: string, work: { render: () => Promise<P>; isKept: (page: P) => boolean }) => Promise<P>
  /** Forgets everything, and whatever is being rendered right now will not be kept either. */
  dropAll: () => void
}

const DEFAULT_LIMITS: Limits = {
  countMax: 500,
  bytesMax: 64 * 1024 * 1024,
  // View counts lag by at most this, together with the time they take to be written.
  ageMax_ms: 30_000,
}

/** Rendered pages by address, the least recently used ones leaving first. */
export function createPageCache<P extends CachedPage>(
  limits: Partial<Limits> = {},
  now_ms: () => number = Date.now,
): PageCache<P> {
  const { countMax, bytesMax, ageMax_ms } = { ...DEFAULT_LIMITS, ...limits }
  const entries = new Map<string, Entry & { page: P }>()
  let underWay = new Map<string, Promise<P>>()
  let generation = 0
  let bytesHeld = 0

  function remove(key: string): void {
    const entry = entries.get(key)
    if (!entry) return
    bytesHeld -= entry.bytes
    entries.delete(key)
  }

  function keep(key: string, page: P): void {
    remove(key)
    const bytes = Object.values(page.bodies).reduce((sum, body) => sum + body.length, 0)
    if (bytes > bytesMax) return
    entries.set(key, { page, madeAt_ms: now_ms(), bytes })
    bytesHeld += bytes
    for (const oldest of entries.keys()) {
      if (entries.size <= countMax && bytesHeld <= bytesMax) break
      remove(oldest)
    }
  }

  return {
    get(key) {
      const entry = entries.get(key)
      if (!entry) return undefined
      remove(key)
      if (now_ms() - entry.madeAt_ms >= ageMax_ms) return undefined
      // Back in at the young end.
      entries.set(key, entry)
      bytesHeld += entry.bytes
      return entry.page
    },

    make(key, { render, isKept }) {
      const started = underWay.get(key)
      if (started) return started
      const bornIn = generation
      const inFlight = underWay
      const work = render()
        .then((page) => {
          // Content changed while it was rendered: this page may show the old one, so nobody else gets it.
          if (generation === bornIn && isKept(page)) keep(key, page)
          return page
        })
        .finally(() => inFlight.delete(key))
      inFlight.set(key, work)
      return work
    },

    dropAll() {
      generation += 1
      entries.clear()
      bytesHeld = 0
      // Those who ask from now on must not join a render that began before.
      underWay = new Map()
    },
  }
}
