import { keepPreviousData, QueryClient } from '@tanstack/react-query'
import { CallError, type CallInput } from '#client/call.ts'
import type { Endpoint, QueryInputOf } from '#contract/endpoint.ts'
import { consoleCall, readListPage } from './console-call.ts'

const FRESH_MS = 5_000

export function createConsoleClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: (count, error) => count < 2 && !(error instanceof CallError && error.status in REFUSED),
      },
    },
  })
}

/** Asking again does not change these. */
const REFUSED = { 400: true, 401: true, 403: true, 404: true, 409: true, 422: true, 429: true }

/** A read, ready for `useQuery`. */
export const read = <E extends Endpoint>(endpoint: E, input: CallInput<E> = {}) => ({
  queryKey: [endpoint.path, input],
  queryFn: () => consoleCall(endpoint, input),
})

/** A page of a list; while the next one loads, the last one stays. */
export const readList = <E extends Endpoint>(endpoint: E, query: QueryInputOf<E>) => ({
  queryKey: [endpoint.path, 'list', query],
  queryFn: () => readListPage(endpoint, query),
  placeholderData: keepPreviousData,
})
