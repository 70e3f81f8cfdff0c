import type { ContentKind } from '../content/content-kinds.ts'

export type CachedPage = {
  etag: string
  bodies: Record<'identity' | 'gzip' | 'br', Buffer>
  /** A change of this content changes the page. */
  shows: ReadonlySet<ContentKind>
}

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
  /** Pages that show this content are rendered again at their next request; those being rendered now are not stored. */
  drop: (kinds: readonly ContentKind[]) => void
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
  // Not the time of day, which may be set back.
  now_ms: () => number = () => performance.now(),
): PageCache<P> {
  const { countMax, bytesMax, ageMax_ms } = { ...DEFAULT_LIMITS, ...limits }
  const entries = new Map<string, Entry<P>>()
  let underWay = new Map<string, Promise<P>>()
  /** Counts the drops; when each kind was dropped last. */
  let drops = 0
  const droppedAt = new Map<ContentKind, number>()
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
      const startedAt = drops
      const inFlight = underWay
      const work = render()
        .then((page) => {
          // Content changed meanwhile: this page may show the former content, so it is not stored.
          if ([...page.shows].some((kind) => (droppedAt.get(kind) ?? 0) > startedAt)) return page
          if (isKept(page)) keep(key, page)
          // A page that no longer exists must not be used when the next rendering fails.
          else remove(key)
          return page
        })
        .finally(() => inFlight.delete(key))
      inFlight.set(key, work)
      return work
    },

    drop(kinds) {
      drops += 1
      for (const kind of kinds) droppedAt.set(kind, drops)
      for (const entry of entries.values()) {
        if (kinds.some((kind) => entry.page.shows.has(kind))) entry.freshUntil_ms = 0
      }
      // Later requests must not share a rendering that started before: what it shows is known at its end only.
      underWay = new Map()
    },
  }
}
