import type { QueryClient } from '@tanstack/react-query'
import { redirectDocument, type RouteObject } from 'react-router'
import { pages, type PageEntry, type PageName } from '#contract/pages.ts'
import type { Page, PageHandle, PageParams, PageSource } from '#web/page.ts'
import type { ApiQuery } from '#web/query-client.ts'
import { pageSources } from '#web/routes.ts'
import { loadChunk } from '#web/load-chunk.ts'
import { ModalHost } from '#web/shell/modal-host.tsx'
import { isMissing } from '#client/call.ts'
import { mustLeaveDocument } from '#web/parts/pixel/pixel.ts'
import { settingsQuery } from '#web/parts/settings/settings.ts'
import { PlayerGuard } from '#web/shell/player-guard.tsx'
import { readToken } from '#web/session/token.ts'
import { PageSkeleton } from '#web/parts/page-states/page-skeleton.tsx'
import { RouteError } from '#web/shell/route-error.tsx'
import { Shell } from '#web/shell/shell.tsx'
import { SplashHost } from '#web/shell/splash-host.tsx'

type RouteEntry = PageEntry & PageSource

/** `clientOf` finds the client of the rendering that a loader runs for; in a browser there is only one. */
type Environment = { clientOf: (context: unknown) => QueryClient; isServer: boolean }

/** Makes the router's routes of the table of pages; all share the shell, players' pages are inside the guard. */
export function createRoutes(environment: Environment): RouteObject[] {
  const entries = Object.entries<PageEntry>(pages).map(([name, entry]): RouteEntry => ({
    ...entry,
    ...pageSources[name as PageName],
  }))
  const routesFor = (wanted: (entry: RouteEntry) => boolean) =>
    entries.filter(wanted).map((entry) => routeOf(entry, environment))
  return [
    {
      id: 'shell',
      Component: Frame,
      ErrorBoundary: RouteError,
      HydrateFallback: PageSkeleton,
      loader: async ({ context }) => {
        await runQueries(environment, context, { queries: [settingsQuery] })
        return null
      },
      children: [
        ...routesFor((entry) => entry.access !== 'player'),
        {
          id: 'player',
          Component: PlayerGuard,
          HydrateFallback: PageSkeleton,
          children: routesFor((entry) => entry.access === 'player'),
        },
      ],
    },
  ]
}

function Frame() {
  return (
    <>
      <Shell />
      <ModalHost />
      <SplashHost />
    </>
  )
}

function routeOf(entry: RouteEntry, environment: Environment): RouteObject {
  const common = { id: entry.path, path: entry.path, ErrorBoundary: RouteError }
  if ('page' in entry) return { ...common, ...partsOf(entry, entry.page, environment) }
  if (entry.access === 'player' && environment.isServer) {
    // The server has no player: it sends the shell, and the guard's skeleton in the page's place.
    return { ...common, handle: handleOf(entry), Component: PageSkeleton }
  }
  return {
    ...common,
    lazy: async () => partsOf(entry, await loadChunk(entry.load), environment),
  }
}

type LoaderInput = { params: PageParams; request: Request; context: unknown }

function partsOf(entry: RouteEntry, page: Page, environment: Environment) {
  return {
    Component: page.Component,
    handle: handleOf(entry, page),
    loader: async ({ params, request, context }: LoaderInput) => {
      const { pathname, search } = new URL(request.url)
      if (!environment.isServer && mustLeaveDocument(pathname)) throw redirectDocument(pathname + search)
      const isClosed = entry.access === 'player' && (environment.isServer || readToken() === null)
      if (!isClosed && page.queries)
        await runQueries(environment, context, { queries: page.queries(params), isNeeded: true })
      return null
    },
  }
}

function handleOf(entry: RouteEntry, page?: Page): PageHandle {
  return {
    status: entry.status,
    part: 'load' in entry ? entry.part : undefined,
    head: (input) => ({
      title: entry.title,
      ...page?.head?.(input),
      ...(entry.access === 'open' && !entry.status ? {} : { isIndexable: false }),
    }),
  }
}

/**
 * The server waits for the answers and gives up when one of them is refused. The browser only starts the
 * reads: the page shows its skeleton at once and each part fills in when its answer is there.
 */
async function runQueries(
  { clientOf, isServer }: Environment,
  context: unknown,
  { queries, isNeeded = false }: { queries: readonly ApiQuery<unknown>[]; isNeeded?: boolean },
): Promise<void> {
  const client = clientOf(context)
  const started = queries.map((query) =>
    isServer && isNeeded ? client.ensureQueryData(query) : client.prefetchQuery(query),
  )
  if (!isServer) return
  await Promise.all(started).catch((error: unknown) => {
    // The status is all a page shows of a refused read, and all that is sent to the browser.
    throw new Response(null, { status: isMissing(error) ? 404 : 503 })
  })
}
