import './style.css'
import { hydrate, QueryClientProvider, type DehydratedState, type QueryClient } from '@tanstack/react-query'
import { Fragment, startTransition, StrictMode, useEffect } from 'react'
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
import { loadChunk } from '#web/load-chunk.ts'
import { registerOfflineWorker } from '#web/offline-worker.ts'
import { isRechargeAwaited } from '#web/parts/pixel/awaited-recharge.ts'
import { resumeConsent } from '#web/parts/pixel/consent.ts'
import { createPortalClient, forgetPersonalAnswers } from '#web/query-client.ts'
import { reportReadFailure } from '#web/parts/outcomes/report-outcome.ts'
import { createRoutes } from '#web/router.tsx'
import { resumeSession, session } from '#web/session/session-store.ts'
import { tieModalsToHistory } from '#web/parts/modals/modal-history.ts'

type PageState = { queries: DehydratedState; router: HydrationState }

/** In development React runs effects twice, which shows those that do not clean up. */
const Checks = import.meta.env.DEV ? StrictMode : Fragment

// In a task of its own, after the parsing of the scripts: a slow phone can react to touch in between.
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

  const routes = createRoutes({ clientOf: () => client, isServer: false })
  await loadShownPage(routes)
  tieModalsToHistory()
  const router = createBrowserRouter(routes, { hydrationData })
  connectRouter(router)

  startTransition(() => {
    hydrateRoot(
      root,
      <Checks>
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
          <Ready act={pressAgain} />
        </QueryClientProvider>
      </Checks>,
    )
  })
}

/** Runs once React answers for the page. */
function Ready({ act }: { act: () => void }) {
  useEffect(act, [act])
  return null
}

/** Presses the button that somebody pressed before React answered for it; the document's own script has kept it. */
function pressAgain(): void {
  const root: (HTMLElement & { pressed?: HTMLElement | null }) | null = document.getElementById('root')
  if (!root) return
  root.dataset.ready = ''
  root.pressed?.click()
}

/** A lazy page that the server has rendered must have its code before React hydrates the page. */
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
    if (playerId !== undefined && isRechargeAwaited(playerId)) void reportAwaitedRecharge(client, playerId)
  })
  // Another tab signed in or out: this one follows.
  addEventListener('storage', (event) => {
    if (event.key === SESSION_STORAGE_KEY || event.key === null) void resumeSession()
  })
  void resumeSession()
}

/** Money that arrived after its order was closed is reported on the next visit. */
async function reportAwaitedRecharge(client: QueryClient, playerId: string): Promise<void> {
  try {
    const { reportFirstRecharge } = await loadChunk(
      () => import('#web/features/recharge/report-first-recharge.ts'),
    )
    await reportFirstRecharge(client, playerId)
  } catch {
    // Without its code it is reported on a later visit.
  }
}
