import { clientKey } from '../http/client-address.ts'
import { machineLimit, type Limits } from '../limits/limits.ts'
import type { Log } from '../log/log.ts'
import { count, counting } from '../metrics/metrics.ts'
import type { FoundPage } from './addresses.ts'
import type { PageAnswers } from './page-responses.ts'

export type CachedPage = {
  /** At most so many are held for it. */
  bytes: number
  /** A change of this content changes the page. */
  shows: ReadonlySet<string>
}

export type Page = CachedPage & { answers: PageAnswers }

type Entry<P> = {
  page: P
  freshUntil_ms: number
  /** Until when it is shown all the same while a new one is made; past where its content changed. */
  shownUntil_ms: number
  usableUntil_ms: number
}

type CacheLimits = { countMax: number; bytesMax: number; ageMax_ms: number }

export type PageCache<P extends CachedPage> = {
  /** The page while it may be shown; whoever gets one that is not fresh makes a new one for those who come later. */
  shown: (key: string) => { page: P; isFresh: boolean } | undefined
  /**
   * The last page that was rendered, for use when rendering fails. It then counts as fresh for a few seconds, so that
   * not every visitor waits for another failure.
   */
  lastGood: (key: string) => P | undefined
  isMaking: (key: string) => boolean
  /** Makes a page, once for all requests that arrive meanwhile, and stores it if `isCacheable`. */
  make: (key: string, work: { render: () => Promise<P>; isCacheable: (page: P) => boolean }) => Promise<P>
  /** Pages that show this content are rendered again at their next request; those being rendered now are not stored. */
  drop: (kinds: readonly string[]) => void
}

const DEFAULT_LIMITS: CacheLimits = {
  countMax: 500,
  bytesMax: 64 * 1024 * 1024,
  // View counts lag by at most this, together with the time they take to be written.
  ageMax_ms: 30_000,
}

/** How long a page whose content has not changed is shown after its age. */
const SHOWN_MS = 30_000
/** How long the last good page may replace one that cannot be rendered. */
const LAST_GOOD_MS = 3_600_000
/** How long it does so before rendering is tried again. */
const HOLD_MS = 2_000

/** Cached pages by address: bounded in number and bytes, the least recently used goes first. */
class Entries<P extends CachedPage> {
  readonly #limits: CacheLimits
  readonly #now_ms: () => number
  readonly #entries = new Map<string, Entry<P>>()
  #bytesHeld = 0
  /** The last of them; most requests are for the page that the one before was for. */
  #newest = ''

  constructor(limits: CacheLimits, now_ms: () => number) {
    this.#limits = limits
    this.#now_ms = now_ms
  }

  all(): Iterable<Entry<P>> {
    return this.#entries.values()
  }

  get(key: string): Entry<P> | undefined {
    return this.#entries.get(key)
  }

  remove(key: string): void {
    this.#bytesHeld -= this.#entries.get(key)?.page.bytes ?? 0
    this.#entries.delete(key)
  }

  store(key: string, page: P): void {
    const { countMax, bytesMax, ageMax_ms } = this.#limits
    this.remove(key)
    if (page.bytes > bytesMax) return
    const now = this.#now_ms()
    const freshUntil_ms = now + ageMax_ms
    const shownUntil_ms = freshUntil_ms + SHOWN_MS
    this.#entries.set(key, { page, freshUntil_ms, shownUntil_ms, usableUntil_ms: now + LAST_GOOD_MS })
    this.#newest = key
    this.#bytesHeld += page.bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= countMax && this.#bytesHeld <= bytesMax) break
      this.remove(oldest)
    }
  }

  shown(key: string): { page: P; isFresh: boolean } | undefined {
    const entry = this.#entries.get(key)
    const now = this.#now_ms()
    if (!entry || now >= entry.shownUntil_ms) return undefined
    // Moved to the end: the first entries are the least recently used.
    if (this.#newest !== key) {
      this.#entries.delete(key)
      this.#entries.set(key, entry)
      this.#newest = key
    }
    return { page: entry.page, isFresh: now < entry.freshUntil_ms }
  }
}

/** Rendered pages by address. */
export function createPageCache<P extends CachedPage>(
  limits: Partial<CacheLimits> = {},
  // Not the time of day, which may be set back.
  now_ms: () => number = () => performance.now(),
): PageCache<P> {
  const entries = new Entries<P>({ ...DEFAULT_LIMITS, ...limits }, now_ms)
  let underWay = new Map<string, Promise<P>>()
  /** Counts the drops; when each kind was dropped last. */
  let drops = 0
  const droppedAt = new Map<string, number>()

  return {
    shown: (key) => entries.shown(key),

    lastGood(key) {
      const entry = entries.get(key)
      if (!entry || now_ms() >= entry.usableUntil_ms) return undefined
      entry.freshUntil_ms = now_ms() + HOLD_MS
      entry.shownUntil_ms = entry.freshUntil_ms
      return entry.page
    },

    isMaking: (key) => underWay.has(key),

    make(key, { render, isCacheable }) {
      const started = underWay.get(key)
      if (started) return started
      const startedAt = drops
      const inFlight = underWay
      const work = render()
        .then((page) => {
          // Content changed meanwhile: this page may show the former content, so it is not stored.
          if ([...page.shows].some((kind) => (droppedAt.get(kind) ?? 0) > startedAt)) return page
          if (isCacheable(page)) entries.store(key, page)
          // A page that no longer exists must not be used when the next rendering fails.
          else entries.remove(key)
          return page
        })
        .finally(() => inFlight.delete(key))
      inFlight.set(key, work)
      return work
    },

    drop(kinds) {
      drops += 1
      for (const kind of kinds) droppedAt.set(kind, drops)
      for (const entry of entries.all()) {
        if (kinds.some((kind) => entry.page.shows.has(kind))) entry.shownUntil_ms = 0
      }
      // Later requests must not share a rendering that started before: what it shows is known at its end only.
      underWay = new Map()
    },
  }
}

/** Pages from the cache are not counted. Mobile carriers put many players behind one address. */
const RENDERS_PER_ADDRESS = machineLimit('renders-address', 240, 60)
/** Each search is a page of its own, which is not cached. */
const SEARCHES_PER_ADDRESS = machineLimit('search-pages-address', 60, 60)

export type CachedPagesOptions = {
  log: Log
  limits: Limits
  /** Whether memory knows that there is nothing at this path of a page. */
  isMissing?: (path: string) => Promise<boolean>
}

/** Who requests a page, and where failures are logged. */
export type PageClient = { address: string; log: () => Log }

const countHit = counting('portal_page_cache_total', { outcome: 'hit' })

type Making = { render: (rendered: string) => Promise<Page>; isCached: boolean }

/** The pages that were rendered, and the rendering of those that were not. */
export function cachedPages({ log, limits, isMissing }: CachedPagesOptions, { render, isCached }: Making) {
  const cache: PageCache<Page> = createPageCache()

  const make = (rendered: string, { isFixed, isSearch }: Pick<FoundPage, 'isFixed' | 'isSearch'>) =>
    cache.make(rendered, {
      isCacheable: ({ answers }) => isCached && !isSearch && (answers.status === 200 || isFixed),
      render: () => render(rendered),
    })

  function lastGood(rendered: string, error: unknown, requestLog: Log): Page | undefined {
    const page = cache.lastGood(rendered)
    if (!page) return undefined
    count('portal_page_cache_total', { outcome: 'stale' })
    requestLog.warn({ err: error, event: 'pages.stale' }, 'a page was answered with its last good copy')
    return page
  }

  /** A page that has grown old is shown at once, and rendered again for those who come later. */
  function shown(rendered: string): Page | undefined {
    const found = cache.shown(rendered)
    if (!found) return undefined
    countHit()
    if (!found.isFresh && !cache.isMaking(rendered)) {
      make(rendered, { isFixed: found.page.answers.status !== 200 }).catch((error: unknown) =>
        lastGood(rendered, error, log),
      )
    }
    return found.page
  }

  async function pageAt(requested: FoundPage, { address, log: requestLog }: PageClient): Promise<Page> {
    const cached = shown(requested.rendered)
    if (cached) return cached
    // Without the database nothing is known: the rendering finds that out.
    const isNothing =
      !requested.isFixed && (await isMissing?.(requested.rendered).catch(() => false)) === true
    const rendered = isNothing ? requested.missing : requested.rendered
    const page = isNothing ? shown(rendered) : undefined
    if (page) return page
    count('portal_page_cache_total', { outcome: 'miss' })
    try {
      if (!cache.isMaking(rendered))
        await limits.consume(
          requested.isSearch ? SEARCHES_PER_ADDRESS : RENDERS_PER_ADDRESS,
          clientKey(address),
        )
      return await make(rendered, { isFixed: requested.isFixed || isNothing, isSearch: requested.isSearch })
    } catch (error) {
      const good = lastGood(rendered, error, requestLog())
      if (!good) throw error
      return good
    }
  }

  return { shown, pageAt, drop: cache.drop }
}
