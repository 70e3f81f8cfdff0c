import type { FastifyRequest } from 'fastify'
import { clientKey } from '../http/client-address.ts'
import { machineLimit, type Limits } from '../limits/limits.ts'
import type { Log } from '../log/log.ts'
import { count } from '../metrics/metrics.ts'
import type { FoundPage } from './addresses.ts'
import { createPageCache, type PageCache } from './page-cache.ts'
import type { Page } from './rendering.ts'

/** Pages from the cache are not counted. Mobile carriers put many players behind one address. */
const RENDERS_PER_ADDRESS = machineLimit('renders-address', 240, 60)

export type KeptPagesOptions = {
  log: Log
  limits: Limits
  /** Whether memory knows that there is nothing at this path of a page. */
  isMissing?: (path: string) => Promise<boolean>
}

type Making = { render: (rendered: string) => Promise<Page>; isCached: boolean }

/** The pages that were rendered, and the rendering of those that were not. */
export function keptPages({ log, limits, isMissing }: KeptPagesOptions, { render, isCached }: Making) {
  const cache: PageCache<Page> = createPageCache()

  const make = (rendered: string, isFixed: boolean) =>
    cache.make(rendered, {
      isKept: ({ answers }) => isCached && (answers.status === 200 || isFixed),
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
    count('portal_page_cache_total', { outcome: 'hit' })
    if (!found.isFresh && !cache.isMaking(rendered)) {
      make(rendered, found.page.answers.status !== 200).catch((error: unknown) =>
        lastGood(rendered, error, log),
      )
    }
    return found.page
  }

  async function pageAt(asked: FoundPage, request: FastifyRequest): Promise<Page> {
    const kept = shown(asked.rendered)
    if (kept) return kept
    // Without the database nothing is known: the rendering finds that out.
    const isNothing = !asked.isFixed && (await isMissing?.(asked.rendered).catch(() => false)) === true
    const rendered = isNothing ? asked.missing : asked.rendered
    const page = isNothing ? shown(rendered) : undefined
    if (page) return page
    count('portal_page_cache_total', { outcome: 'miss' })
    try {
      if (!cache.isMaking(rendered)) await limits.consume(RENDERS_PER_ADDRESS, clientKey(request.ip))
      return await make(rendered, asked.isFixed || isNothing)
    } catch (error) {
      const good = lastGood(rendered, error, request.log)
      if (!good) throw error
      return good
    }
  }

  return { shown, pageAt, drop: cache.drop }
}
