import { createContext, useCallback, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import type { QueryClient } from '#web/query-cache.ts'
import { QueryView, type Shown, type UseQueryResult } from '#web/query-view.ts'

export const QueryClientContext = createContext<QueryClient | null>(null)

export function useQueryClient(): QueryClient {
  const client = useContext(QueryClientContext)
  if (!client) throw new Error('There is no QueryClientContext around this component')
  return client
}

/** An answer, read when it is first shown and kept up to date. Its component renders again when what it uses of it changes. */
export function useQuery<T>(shown: Shown<T>): UseQueryResult<T> {
  const client = useQueryClient()
  const entry = client.entryOf<T>(shown)
  const isEnabled = shown.enabled !== false
  const [view] = useState(() => new QueryView(shown))
  const watch = useCallback((onChange: () => void) => view.watch(entry, onChange), [view, entry])
  const seen = () => view.seen(entry)

  useEffect(() => view.update(entry, shown))
  useSyncExternalStore(watch, seen, seen)
  useEffect(() => {
    if (isEnabled) view.readIfDue(entry)
  }, [view, entry, isEnabled])

  return view.resultOf(entry)
}

/** Renders again when the cache begins to read, and when it has read everything. */
export function useIsFetching(): boolean {
  const client = useQueryClient()
  return useSyncExternalStore(client.subscribe, client.isFetching, client.isFetching)
}
