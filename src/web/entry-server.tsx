import { dehydrate, QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import {
  createStaticHandler,
  createStaticRouter,
  StaticRouterProvider,
  type StaticHandlerContext,
} from 'react-router'
import type { RenderPage } from '#contract/rendered-page.ts'
import type { PageHandle } from '#web/page.ts'
import { createPortalClient } from '#web/query-client.ts'
import { createRoutes } from '#web/router.tsx'
import { readAgeClass, readSiteName } from '#web/parts/settings/settings.ts'

/** The routes are made once; each rendering hands its own client to the loaders. */
const handler = createStaticHandler(
  createRoutes({ clientOf: (context) => (context as Rendering).client, isServer: true }),
)

type Rendering = { client: QueryClient }

/** Renders one page to text. The data comes through the given transport: the same calls a browser makes. */
export const renderPage: RenderPage = async ({ url, transport }) => {
  const client = createPortalClient({ transport, isServer: true })
  const context = await handler.query(new Request(`http://page.invalid${url}`), {
    requestContext: { client } satisfies Rendering,
  })
  if (context instanceof Response) throw new Error(`The page ${url} answered with a redirect of its own`)

  const router = createStaticRouter(handler.dataRoutes, context)
  const html = renderToString(
    <QueryClientProvider client={client}>
      <StaticRouterProvider router={router} context={context} hydrate={false} />
    </QueryClientProvider>,
  )

  const match = context.matches.at(-1)
  const handle = match?.route.handle as PageHandle | undefined
  const failed = context.statusCode !== 200
  const head = failed || !handle ? failureHead : handle.head({ client, params: match?.params ?? {} })
  const rendered = {
    status: failed ? context.statusCode : (handle?.status ?? 200),
    head: { image: sitePicture(client), ...head, siteName: readSiteName(client) },
    html,
    part: handle?.part,
    state: {
      queries: dehydrate(client),
      router: { loaderData: context.loaderData, errors: plainErrors(context.errors) },
    },
  }
  client.clear()
  return rendered
}

/** Of pages without a picture of their own; chats keep the picture of an address they have seen. */
const sitePicture = (client: QueryClient) => `/share/site.png?v=${parseInt(readAgeClass(client))}`

const failureHead = { title: 'Không tìm thấy trang', isIndexable: false }

/** The shape that the router recognises as an error answer, without internal details. */
function plainErrors(errors: StaticHandlerContext['errors']) {
  if (!errors) return null
  return Object.fromEntries(
    Object.entries(errors).map(([id, error]) => {
      const status = (error as { status?: unknown } | null)?.status
      return [
        id,
        { status: typeof status === 'number' ? status : 500, statusText: '', internal: false, data: null },
      ]
    }),
  )
}
