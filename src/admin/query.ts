import { keepPreviousData, QueryClient } from '@tanstack/react-query'
import type { Endpoint, QueryInputOf } from '#contract/endpoint.ts'
import { newerAnswer } from '#client/answer-age.ts'
import { isTransient, type CallInput } from '#client/call.ts'
import { consoleCall, readListPage } from '#admin/console-call.ts'

const FRESH_MS = 5_000

export function createConsoleClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        structuralSharing: newerAnswer,
        retry: (failures, error) => failures < 2 && isTransient(error),
      },
    },
  })
}

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
