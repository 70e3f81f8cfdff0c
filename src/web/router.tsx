import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { Suspense, use, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { matchRoute } from 'wouter'
import { parse } from 'regexparam'
import { createStore, useStore } from '#client/store.ts'
import { pages, paths, type PageEntry, type PageName } from '#contract/pages.ts'
import { isMissing } from '#client/call.ts'
import { Host } from '#web/host.tsx'
import { loadChunk } from '#web/load-chunk.tsx'
import { scrollNow, ShownPageContext, usePathname, useSearch, type ShownPage } from '#web/navigation.tsx'
import type { HeadInput, Page, PageHandle, PageParams, PageSource } from '#web/page.ts'
import { outcomeCopy } from '#web/parts/outcomes/announce.ts'
import { PageSkeleton, RouteError, UnfinishedStrip } from '#web/parts/fallbacks/fallbacks.tsx'
import { mustLeaveDocument } from '#web/parts/pixel/pixel.ts'
import { pageSources } from '#web/routes.ts'
import { playerChanges, useSession } from '#web/session/session-store.ts'
import { readToken } from '#web/session/token.ts'
import { ModalHost } from '#web/shell/modal-host.tsx'
import { PlayerGuard } from '#web/parts/navigation/player-guard.tsx'
import { Shell } from '#web/shell/shell.tsx'
import { SplashHost } from '#web/parts/splash/splash-host.tsx'

type FoundPage = { name: PageName; entry: PageEntry; source: PageSource; params: PageParams }

/** The pages whose code is loaded; `null` when loading it failed. */
type LoadedPages = Partial<Record<PageName, Page | null>>

const table = (Object.entries(pages) as [PageName, PageEntry][]).map(([name, entry]) => ({
  name,
  entry,
  pattern: parse(entry.path),
}))

const loadedStore = createStore<LoadedPages>({})

/** The page of an address: the first in the table whose path matches. */
export function findPage(pathname: string): FoundPage {
  for (const { name, entry, pattern } of table) {
    const [isFound, params] = matchRoute(() => pattern, entry.path, pathname)
    if (isFound) return { name, entry, source: pageSources[name], params: decoded(params as PageParams) }
  }
  throw new Error('The table of pages has none for unknown addresses')
}

/**
 * The page that is rendered before the session is verified: visitors are redirected home from pages that are not open, so they
 * see the home page from the first paint on.
 */
export const pageForVisitor = (found: FoundPage): FoundPage =>
  found.entry.access === 'open' ? found : findPage(paths.home)

function decoded(params: PageParams): PageParams {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      try {
        return [name, value && decodeURIComponent(value)]
      } catch {
        return [name, value]
      }
    }),
  )
}

/** Fetches the code of a page unless it is there. When that fails, the page shows it until it is requested again. */
export async function loadPage({ name, source }: FoundPage): Promise<Page | null> {
  const known = loadedStore.get()[name]
  if (known) return known
  const page = 'page' in source ? source.page : await loadChunk(source.load).catch(() => null)
  loadedStore.set({ ...loadedStore.get(), [name]: page })
  return page
}

/**
 * For the browser: loads the code of a page and starts its reads. False when the page needs a document of its own, as it does when
 * its code does not arrive: it may be of a release that is gone.
 */
export async function preparePage(client: QueryClient, pathname: string): Promise<boolean> {
  if (mustLeaveDocument(pathname)) return false
  const found = findPage(pathname)
  // Its guard redirects visitors.
  if (found.entry.access === 'player' && readToken() === null) return true
  const page = await loadPage(found)
  for (const query of page?.queries?.(found.params) ?? []) void client.prefetchQuery(query)
  return page !== null
}

const NEVER = new Promise<never>(() => {})

/** A page that the server has rendered and whose code did not arrive: it stays as it is, to be read, and its links open documents. */
export const unfinishedPage: Page = { Component: () => use(NEVER) }

/** How a page describes itself; for players' pages the server has only the table of pages. */
export const handleOf = ({ entry, source }: FoundPage, page?: Page | null): PageHandle => ({
  status: entry.status,
  ...('load' in source
    ? {
        part: source.part,
        opens: source.opens,
        isFocused: source.isFocused,
        isFrameless: source.isFrameless,
      }
    : {}),
  head: (input) => ({
    title: failedTitle(input, page) ?? entry.title,
    ...page?.head?.(input),
    ...(entry.access === 'open' && !entry.status ? {} : { isIndexable: false }),
  }),
})

/** Of a page about one thing (a post, an order) that could not be read. Other pages show more than their first read. */
function failedTitle({ client, params }: HeadInput, page?: Page | null): string | undefined {
  const [query] = Object.values(params).some(Boolean) ? (page?.queries?.(params) ?? []) : []
  const read = query && client.getQueryState(query.queryKey)
  return read?.error && !read.data ? titleOfFailure(isMissing(read.error) ? 404 : 503) : undefined
}

/** The title of what `RouteError` shows. */
export const titleOfFailure = (status: number): string =>
  status === 404 ? pages.notFound.title : outcomeCopy.defaultFailure

type AppProps = {
  /** The code of the page that the server has rendered; none where it rendered the frame alone, or where that page was removed. */
  first?: Page | null
  /** The status to show when the server could not render the requested open page. */
  failure?: number
}

/** The frame and the page of the address in it. */
export function App({ first = null, failure }: AppProps) {
  const pathname = usePathname()
  const [firstPath] = useState(pathname)
  const [hasLeft, setLeft] = useState(false)
  if (pathname !== firstPath && !hasLeft) setLeft(true)
  const found = useMemo(() => findPage(pathname), [pathname])
  const loaded = useStore(loadedStore)
  const visitorPageName = pageForVisitor(found).name
  const visitorPage = loaded[visitorPageName] ?? (hasLeft ? loaded[visitorPageName] : (first ?? undefined))
  const page = visitorPageName === found.name ? visitorPage : loaded[found.name]
  const status = pathname === firstPath ? failure : undefined
  const shown = useMemo(
    (): ShownPage => ({ params: found.params, handle: status ? undefined : handleOf(found, page) }),
    [found, page, status],
  )
  useMissingPage(pathname, page === undefined, hasLeft)
  useScrolling(page === undefined)

  const failed = status ?? (page === null ? 500 : undefined)
  // The same element as long as the same page is shown: React then renders nothing of it again when the store of loaded pages
  // changes, as it does right after hydration.
  return useMemo(
    () => (
      <ShownPageContext value={shown}>
        <Shell>
          {(page ?? visitorPage) === unfinishedPage && <UnfinishedStrip />}
          {failed ? (
            <RouteError status={failed} />
          ) : (
            <Host renderFailed={() => <RouteError status={500} />}>
              <PageOf found={found} page={page} visitorPage={visitorPage} />
            </Host>
          )}
        </Shell>
        <Host>
          <ModalHost />
        </Host>
        <Host>
          <SplashHost />
        </Host>
      </ShownPageContext>
    ),
    [shown, failed, found, page, visitorPage],
  )
}

type PageOfProps = { found: FoundPage; page: Page | null | undefined; visitorPage: Page | null | undefined }

/** The key keeps a page mounted while visitors are redirected to it. */
function PageOf({ found, page, visitorPage }: PageOfProps) {
  const { access } = found.entry
  const { status } = useSession()
  const players = useStore(playerChanges)
  const isGuarded = access === 'player'
  const isUnsure = isGuarded && status === 'unknown'
  const isVisitorPageShown = Boolean(visitorPage) && (!isGuarded || isUnsure || status === 'anonymous')
  // Not rendered again with each change of the session; hydrated by itself, after the frame.
  const visitorContent = useMemo(
    () =>
      visitorPage && (
        <Suspense>
          <visitorPage.Component />
        </Suspense>
      ),
    [visitorPage],
  )
  const ownContent = useMemo(() => page && <page.Component />, [page])
  return (
    <>
      {isVisitorPageShown && (
        <div
          key={`${pageForVisitor(found).name} ${players}`}
          className={isUnsure ? 'while-anonymous' : undefined}
        >
          {visitorContent}
        </div>
      )}
      {!isVisitorPageShown && !isGuarded && <PageSkeleton />}
      {access === 'guest' && ownContent}
      {isGuarded && <PlayerGuard hasPage={isVisitorPageShown}>{ownContent ?? <PageSkeleton />}</PlayerGuard>}
    </>
  )
}

/**
 * Going back or forward may lead to a page whose code was not loaded in this document. Where it does not arrive the address is
 * opened as a document; a document that was opened at this address already says so instead.
 */
function useMissingPage(pathname: string, isMissing: boolean, hasLeft: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!isMissing) return
    void preparePage(client, pathname).then((isThere) => {
      if (!isThere && hasLeft && pathname === location.pathname) location.reload()
    })
  }, [client, pathname, isMissing, hasLeft])
}

function useScrolling(isMissing: boolean): void {
  const pathname = usePathname()
  const search = useSearch()
  useLayoutEffect(() => {
    if (!isMissing) scrollNow(pathname, search)
  }, [pathname, search, isMissing])
}
