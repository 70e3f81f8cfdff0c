import { vi } from 'vitest'
import { QueryClient } from '#web/query-cache.ts'
import type { Query } from '#web/query-entry.ts'
import { QueryView, type Shown } from '#web/query-view.ts'

/** A read whose answers are given by hand, in any order. */
export function aQuery(options: Partial<Shown<unknown>> = {}) {
  const asked: { answer: (data: unknown) => void; fail: (error: unknown) => void }[] = []
  const query: Query<unknown> = {
    queryKey: ['open', '/things', { id: 1 }],
    queryFn: () => new Promise((answer, fail) => asked.push({ answer, fail })),
    ...options,
  }
  return { query, asked }
}

/** A failure that is worth another try. */
export class Passing extends Error {}

export function aClient({ isServer = false } = {}) {
  const onError = vi.fn()
  const client = new QueryClient({ isServer, isPassing: (error) => error instanceof Passing, onError })
  return { client, onError }
}

/** What the cache knows of the browser: its network, and whether the page is at the front. */
export function aBrowser() {
  const [page, window] = [new EventTarget(), new EventTarget()]
  const document = Object.assign(page, { visibilityState: 'visible' })
  const navigator = { onLine: true }
  vi.stubGlobal('document', document)
  vi.stubGlobal('navigator', navigator)
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  return {
    turn(visibilityState: 'visible' | 'hidden'): void {
      document.visibilityState = visibilityState
      page.dispatchEvent(new Event('visibilitychange'))
    },
    connect(onLine: boolean): void {
      navigator.onLine = onLine
      window.dispatchEvent(new Event(onLine ? 'online' : 'offline'))
    },
  }
}

export const soon = () => vi.advanceTimersByTimeAsync(0)

/** Does what a component that is mounted with these options does. */
export function show(client: QueryClient, shown: Shown<unknown>) {
  const entry = client.entryOf(shown)
  const view = new QueryView(shown)
  let changes = 0
  let seen = view.seen(entry)
  const leave = view.watch(entry, () => {
    if (view.seen(entry) !== seen) changes += 1
    seen = view.seen(entry)
  })
  view.update(entry, shown)
  if (shown.enabled !== false) view.readIfDue(entry)
  return { result: () => view.resultOf(entry), leave, changes: () => changes, view, entry }
}
