import { clientKey } from '../http/client-address.ts'
import { machineLimit, type Limits } from '../limits/limits.ts'
import type { Log } from '../log/log.ts'
import { count, counting } from '../metrics/metrics.ts'
import type { FoundPage } from './addresses.ts'
import { createPageCache, type PageCache } from './page-cache.ts'
import type { Page } from './rendering.ts'

/** Pages from the cache are not counted. Mobile carriers put many players behind one address. */
const RENDERS_PER_ADDRESS = machineLimit('renders-address', 240, 60)
/** Each of them is another page, which is not kept. */
const SEARCHES_PER_ADDRESS = machineLimit('search-pages-address', 60, 60)

export type KeptPagesOptions = {
  log: Log
  limits: Limits
  /** Whether memory knows that there is nothing at this path of a page. */
  isMissing?: (path: string) => Promise<boolean>
}

/** Who asks for a page, and where is noted what goes wrong. */
export type Asking = { address: string; log: () => Log }

const countHit = counting('portal_page_cache_total', { outcome: 'hit' })

type Making = { render: (rendered: string) => Promise<Page>; isCached: boolean }

/** The pages that were rendered, and the rendering of those that were not. */
export function keptPages({ log, limits, isMissing }: KeptPagesOptions, { render, isCached }: Making) {
  const cache: PageCache<Page> = createPageCache()

  const make = (rendered: string, { isFixed, isAsked }: Pick<FoundPage, 'isFixed' | 'isAsked'>) =>
    cache.make(rendered, {
      isKept: ({ answers }) => isCached && !isAsked && (answers.status === 200 || isFixed),
      render: () => render(rendered),
    })

  function lastGood(rendered: string, error: unknown, requestLog: Log): Page | undefined {
    const page = cache.lastGood(rendered)
    if (!page) return undefined
    count('portal_page_cache_total', { outcome: 'stale' })
    requestLog.warn({ err: error, event: 'pages.stale' }, 'a page was answered with its last good copy')
    return page
  }

  /** A page that has grown old is shown at once, and made anew for those who come later. */
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

  async function pageAt(asked: FoundPage, { address, log: requestLog }: Asking): Promise<Page> {
    const kept = shown(asked.rendered)
    if (kept) return kept
    // Without the database nothing is known: the rendering finds that out.
    const isNothing = !asked.isFixed && (await isMissing?.(asked.rendered).catch(() => false)) === true
    const rendered = isNothing ? asked.missing : asked.rendered
    const page = isNothing ? shown(rendered) : undefined
    if (page) return page
    count('portal_page_cache_total', { outcome: 'miss' })
    try {
      if (!cache.isMaking(rendered))
        await limits.consume(asked.isAsked ? SEARCHES_PER_ADDRESS : RENDERS_PER_ADDRESS, clientKey(address))
      return await make(rendered, { isFixed: asked.isFixed || isNothing, isAsked: asked.isAsked })
    } catch (error) {
      const good = lastGood(rendered, error, requestLog())
      if (!good) throw error
      return good
    }
  }

  return { shown, pageAt, drop: cache.drop }
}
