import {
  defaultShouldDehydrateQuery,
  dehydrate,
  QueryClientProvider,
  type Query,
  type QueryClient,
} from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToPipeableStream, renderToString } from 'react-dom/server'
import { Router } from 'wouter'
import { createCall, isMissing } from '#client/call.ts'
import { paths } from '#contract/pages.ts'
import type { RenderPage } from '#contract/rendered-page.ts'
import type { Page, PageParams } from '#web/page.ts'
import { PublicUrlContext } from '#web/public-url.ts'
import { createPortalClient } from '#web/query-client.ts'
import { readSiteName, settingsQuery } from '#web/parts/settings/settings.ts'
import { App, pageForVisitor, findPage, handleOf, loadPage, titleOfFailure } from '#web/router.tsx'
import { sharePictureOf } from '#web/parts/share/share-picture.ts'

/** What React writes in place of a `Suspense` boundary in which something was thrown. */
const FAILED_SECTION = '<!--$!-->'

/** Renders one page to text. The data comes through the given transport: the same calls a browser makes. */
export const renderPage: RenderPage = async ({ url, transport, publicUrl }) => {
  const client = createPortalClient({ call: createCall(transport), isServer: true })
  const found = findPage(new URL(url, 'http://page.invalid').pathname)
  const isOpen = found.entry.access === 'open'
  const renderedPage = pageForVisitor(found)
  const page = await loadPage(renderedPage)
  const [failure] = await Promise.all([
    page ? readAll(client, page, renderedPage.params) : undefined,
    client.prefetchQuery(settingsQuery),
  ])
  // Without the visitor's page only the frame is rendered, with the guard's skeleton: players miss nothing.
  const first = !isOpen && failure ? null : page

  const failed = isOpen ? failure : undefined
  const html = await htmlOf(
    <QueryClientProvider client={client}>
      <PublicUrlContext value={publicUrl}>
        <Router ssrPath={url}>
          <App first={first} failure={failed} />
        </Router>
      </PublicUrlContext>
    </QueryClientProvider>,
  )

  const handle = handleOf(found, isOpen ? page : null)
  const head = failed
    ? { title: titleOfFailure(failed), isIndexable: false }
    : handle.head({ client, params: found.params })
  const input = { client, params: found.params, publicUrl }
  const isDescribed = isOpen && !failed && head.isIndexable !== false
  const rendered = {
    status: failed ?? handle.status ?? 200,
    head: { image: sharePictureOf(found, head.title, client), ...head, siteName: readSiteName(client) },
    html,
    part: handleOf(renderedPage).part,
    isOfPlayers: found.entry.access === 'player',
    more: isOpen
      ? []
      : [handleOf(findPage(paths.login)).part, handle.opens].filter((part) => part !== undefined),
    needsScripts: !isOpen || found.entry.needsScripts ? found.entry.title : undefined,
    structured: (isDescribed && page?.structured && page.structured(input)) || undefined,
    state: { queries: dehydrate(client, { shouldDehydrateQuery: isOfPage }).queries, failure },
  }
  return rendered
}

/** Fails as a whole when one section does, so that no half of a page is cached. */
async function htmlOf(page: ReactNode): Promise<string> {
  const html = renderToString(page)
  if (!html.includes(FAILED_SECTION)) return html
  // `renderToString` does not report what was thrown within a boundary.
  throw await new Promise((resolve) => {
    const onAllReady = () => resolve(new Error('A section could not be rendered, and then it could'))
    renderToPipeableStream(page, { onError: resolve, onAllReady })
  })
}

/** What only another query read is not sent to the browser. */
const isOfPage = (query: Query) => defaultShouldDehydrateQuery(query) && !query.meta?.['isSource']

/** Waits for what the page reads; the status to answer when one of the reads is refused. */
async function readAll(client: QueryClient, page: Page, params: PageParams): Promise<number | undefined> {
  try {
    await Promise.all((page.queries?.(params) ?? []).map((query) => client.ensureQueryData(query)))
    return undefined
  } catch (error) {
    // The status is all a page shows of a refused read, and all that is sent to the browser.
    return isMissing(error) ? 404 : 503
  }
}
