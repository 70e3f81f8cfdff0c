import './style.css'
import { hydrate, QueryClientProvider, type DehydratedState } from '@tanstack/react-query'
import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import {
  createBrowserRouter,
  matchRoutes,
  RouterProvider,
  type HydrationState,
  type RouteObject,
} from 'react-router'
import { SESSION_STORAGE_KEY } from '#contract/constants.ts'
import { browserTransport } from '#web/browser-call.ts'
import { connectRouter } from '#web/go-to.ts'
import { registerOfflineWorker } from '#web/offline-worker.ts'
import { resumeConsent } from '#web/pixel/consent.ts'
import { createPortalClient, forgetPersonalAnswers } from '#web/query-client.ts'
import { reportReadFailure } from '#web/report-outcome.ts'
import { createRoutes } from '#web/router.tsx'
import { routeTable } from '#web/routes.ts'
import { resumeSession, session } from '#web/session/session-store.ts'
import { tieModalsToHistory } from '#web/shell/modal-history.ts'

type PageState = { queries: DehydratedState; router: HydrationState }

// In a task of its own, apart from the reading of the scripts: a slow phone answers to touch in between.
setTimeout(() => void start())

async function start(): Promise<void> {
  const root = document.getElementById('root')
  const state = document.getElementById('page-state')
  if (!root || !state) throw new Error('The document lacks the parts the server puts there')
  const { queries, router: hydrationData } = JSON.parse(state.textContent) as PageState

  const client = createPortalClient({
    transport: browserTransport,
    onError: reportReadFailure,
    isServer: false,
  })
  hydrate(client, queries)
  watchSession(client)
  resumeConsent()
  registerOfflineWorker()

  const routes = createRoutes(routeTable, { client, isServer: false })
  await loadShownPage(routes)
  tieModalsToHistory()
  const router = createBrowserRouter(routes, { hydrationData })
  connectRouter(router)

  startTransition(() => {
    hydrateRoot(
      root,
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    )
  })
}

/** A lazy page that the server has rendered must have its code before React takes the page over. */
async function loadShownPage(routes: RouteObject[]): Promise<void> {
  const matches = matchRoutes(routes, location.pathname) ?? []
  if (matches.some(({ route }) => route.id === 'player')) return
  for (const { route } of matches) {
    if (typeof route.lazy !== 'function') continue
    Object.assign(route, await route.lazy(), { lazy: undefined })
  }
}

function watchSession(client: ReturnType<typeof createPortalClient>): void {
  let playerId = session.get().user?.id
  session.subscribe(() => {
    const { user, status } = session.get()
    if (status === 'checking' || user?.id === playerId) return
    if (playerId !== undefined) forgetPersonalAnswers(client)
    playerId = user?.id
  })
  // Another tab signed in or out: this one follows.
  addEventListener('storage', (event) => {
    if (event.key === SESSION_STORAGE_KEY || event.key === null) void resumeSession()
  })
  void resumeSession()
}
