import './style.css'
import { hydrate, QueryClientProvider, type DehydratedState, type QueryClient } from '@tanstack/react-query'
import { Fragment, startTransition, StrictMode, useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { SESSION_STORAGE_KEY } from '#contract/constants.ts'
import { browserTransport } from '#web/browser-call.ts'
import { loadChunk } from '#web/load-chunk.ts'
import { connectPages, navigate } from '#web/navigation.tsx'
import { registerOfflineWorker } from '#web/offline-worker.ts'
import { isRechargeAwaited } from '#web/parts/pixel/awaited-recharge.ts'
import { mustLeaveDocument } from '#web/parts/pixel/pixel.ts'
import { resumeConsent } from '#web/parts/pixel/consent.ts'
import { createPortalClient, forgetPersonalAnswers } from '#web/query-client.ts'
import { reportReadFailure } from '#web/parts/outcomes/report-outcome.ts'
import { App, findPage, loadPage, preparePage } from '#web/router.tsx'
import { watchScrolling } from '#web/scrolling.ts'
import { resumeSession, session } from '#web/session/session-store.ts'
import { tieModalsToHistory } from '#web/parts/modals/modal-history.ts'

type PageState = { queries: DehydratedState; failure?: number }

/** In development React runs effects twice, which shows those that do not clean up. */
const Checks = import.meta.env.DEV ? StrictMode : Fragment

// In a task of its own, after the parsing of the scripts: a slow phone can react to touch in between.
setTimeout(() => void start())

async function start(): Promise<void> {
  const root = document.getElementById('root')
  const state = document.getElementById('page-state')
  if (!root || !state) throw new Error('The document lacks the parts the server puts there')
  const { queries, failure } = JSON.parse(state.textContent) as PageState

  const client = createPortalClient({
    transport: browserTransport,
    onError: reportReadFailure,
    isServer: false,
  })
  hydrate(client, queries)
  watchSession(client)
  resumeConsent()
  registerOfflineWorker()

  // A page that the server has drawn must have its code before React hydrates it.
  const found = findPage(location.pathname)
  const first = found.entry.access === 'player' ? null : await loadPage(found)
  tieModalsToHistory()
  addEventListener('popstate', leaveDocument)
  watchScrolling()
  connectPages((pathname) => preparePage(client, pathname))

  startTransition(() => {
    hydrateRoot(
      root,
      <Checks>
        <QueryClientProvider client={client}>
          <Router aroundNav={(_, to, options) => void navigate(to, options)}>
            <App first={first} failure={failure} />
          </Router>
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

/** A step through the history to a page that may not be shown in this document: it gets one of its own. */
function leaveDocument(event: PopStateEvent): void {
  if (!mustLeaveDocument(location.pathname)) return
  event.stopImmediatePropagation()
  location.reload()
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
