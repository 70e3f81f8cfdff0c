import { dehydrate, QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { Router } from 'wouter'
import { isMissing } from '#client/call.ts'
import type { RenderPage } from '#contract/rendered-page.ts'
import type { Page, PageParams } from '#web/page.ts'
import { createPortalClient } from '#web/query-client.ts'
import { readAgeClass, readSiteName, settingsQuery } from '#web/parts/settings/settings.ts'
import { App, findPage, handleOf, loadPage } from '#web/router.tsx'

/** Renders one page to text. The data comes through the given transport: the same calls a browser makes. */
export const renderPage: RenderPage = async ({ url, transport }) => {
  const client = createPortalClient({ transport, isServer: true })
  const found = findPage(new URL(url, 'http://page.invalid').pathname)
  // The server has no player: it sends the shell, and the guard's skeleton in the page's place.
  const page = found.entry.access === 'player' ? null : await loadPage(found)
  const [failure] = await Promise.all([
    page ? readAll(client, page, found.params) : undefined,
    client.prefetchQuery(settingsQuery),
  ])

  const html = renderToString(
    <QueryClientProvider client={client}>
      <Router ssrPath={url}>
        <App first={page} failure={failure} />
      </Router>
    </QueryClientProvider>,
  )

  const handle = handleOf(found, page)
  const head = failure ? failureHead : handle.head({ client, params: found.params })
  const rendered = {
    status: failure ?? handle.status ?? 200,
    head: { image: sitePicture(client), ...head, siteName: readSiteName(client) },
    html,
    part: handle.part,
    state: { queries: dehydrate(client), failure },
  }
  client.clear()
  return rendered
}

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

/** Of pages without a picture of their own; chats keep the picture of an address they have seen. */
const sitePicture = (client: QueryClient) => `/share/site.png?v=${parseInt(readAgeClass(client))}`

const failureHead = { title: 'Không tìm thấy trang', isIndexable: false }
