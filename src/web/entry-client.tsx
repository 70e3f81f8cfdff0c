import './style.css'
import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { Fragment, startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { tieDialogsToHistory } from '#client/dialog-history.ts'
import { reportError, watchErrors } from '#client/report-error.ts'
import { surviveTranslation } from '#client/translated-pages.ts'
import { markTyping } from '#client/typing-mark.ts'
import type { PageState } from '#contract/rendered-page.ts'
import { browserCall } from '#web/browser-call.ts'
import { loadChunk } from '#web/load-chunk.tsx'
import { connectPages, navigate, watchScrolling } from '#web/navigation.tsx'
import { mustLeaveDocument } from '#web/parts/pixel/pixel.ts'
import { resumeConsent } from '#web/parts/pixel/consent.ts'
import { createPortalClient } from '#web/query-client.ts'
import type { Page } from '#web/page.ts'
import { App, pageForVisitor, findPage, loadPage, preparePage, unfinishedPage } from '#web/router.tsx'
import { readToken } from '#web/session/token.ts'
import { hydrateAnswers } from '#web/use-query.ts'
import { countVisit } from '#web/parts/install/count-visit.ts'
import { watchSession } from '#web/shell/watch-session.ts'

/** In development React runs effects twice, which shows those that do not clean up. */
const Checks = import.meta.env.DEV ? StrictMode : Fragment

if (import.meta.env.PROD)
  watchErrors({
    site: 'player',
    entry: import.meta.url,
    pageOf: () => findPage(location.pathname).entry.path,
  })

// In a task of its own, after the parsing of the scripts: a slow phone can react to touch in between.
setTimeout(() => void start())

async function start(): Promise<void> {
  const root: (HTMLElement & { pressed?: HTMLElement | null }) | null = document.getElementById('root')
  const state = document.getElementById('page-state')
  if (!root || !state) throw new Error('The document lacks the parts the server puts there')
  const { queries, failure } = JSON.parse(state.textContent) as PageState
  // The page that React hydrates, even when the visitor has gone back or forward since: that page is rendered afterwards.
  const { pathname, search } = new URL(document.documentElement.dataset.address ?? location.href)
  // It may hold the token of a mailed link, which leaves the address as soon as it is read.
  delete document.documentElement.dataset['address']

  surviveTranslation()
  markTyping()
  onlineManager.setOnline(navigator.onLine)
  const client = createPortalClient({ call: browserCall, onError: (error) => void reportRead(error) })
  hydrateAnswers(client, queries)
  watchSession(client)
  resumeConsent()
  const isFirstVisit = countVisit()
  registerOfflineWorker(isFirstVisit && readToken() === null)

  const first = await loadRenderedPage(root, pathname, failure)
  const dialogsAligned = tieDialogsToHistory()
  addEventListener('popstate', leaveDocument)
  watchScrolling()
  connectPages(async (pathname) => {
    const isOfDocument = await preparePage(client, pathname)
    await dialogsAligned()
    return isOfDocument
  })

  startTransition(() => {
    hydrateRoot(
      root,
      <Checks>
        <QueryClientProvider client={client}>
          <Router
            ssrPath={pathname}
            ssrSearch={search}
            aroundNav={(_, to, options) => void navigate(to, options)}
          >
            <App first={first} failure={failure} />
          </Router>
        </QueryClientProvider>
      </Checks>,
      // In development React shows them in the browser's own console.
      import.meta.env.PROD ? { onCaughtError: (error) => reportError(error, 'part') } : {},
    )
  })
  // From here on React handles every press, by hydrating the pressed part first. An earlier press was stored by the script
  // of the document.
  root.dataset.ready = ''
  root.pressed?.click()
}

/** The code of the page that the server has rendered; React needs it to hydrate. */
async function loadRenderedPage(
  root: HTMLElement,
  pathname: string,
  failure: number | undefined,
): Promise<Page | null> {
  const found = findPage(pathname)
  const { access } = found.entry
  if (access !== 'open' && failure) return null
  if (access === 'player' && readToken() !== null) {
    // Rendered for visitors and hidden: a player's device spends nothing on it.
    root.querySelector('#main > .while-anonymous')?.remove()
    return null
  }
  return (await loadPage(pageForVisitor(found))) ?? unfinishedPage
}

/** Going back or forward to a page that may not be shown in this document: it gets one of its own. */
function leaveDocument(event: PopStateEvent): void {
  if (!mustLeaveDocument(location.pathname)) return
  event.stopImmediatePropagation()
  location.reload()
}

/**
 * The offline page is fetched when everything else has arrived: it does not slow down a page. A stranger who leaves
 * without a touch never needs it.
 */
function registerOfflineWorker(isStranger: boolean): void {
  if (!('serviceWorker' in navigator)) return
  const register = () => {
    navigator.serviceWorker.register('/sw.js').catch(() => {
      // Private windows and full disks refuse it; the portal works without.
    })
  }
  if (isStranger) {
    for (const type of ['pointerdown', 'keydown'])
      addEventListener(type, register, { once: true, passive: true })
  } else if (document.readyState === 'complete') register()
  else addEventListener('load', register, { once: true })
}

/** Loads the code that shows failures; a visit without a failure does not need it. */
async function reportRead(error: unknown): Promise<void> {
  try {
    const { reportReadFailure } = await loadChunk(() => import('#web/parts/outcomes/report-outcome.ts'))
    reportReadFailure(error)
  } catch {
    // Offline: the strip above the page shows that.
  }
}
