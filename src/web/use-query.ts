import { useSyncExternalStore } from 'react'
import {
  hydrate,
  useQuery as useLatestQuery,
  useQueryClient,
  type QueryClient,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query'
import type { PageState } from '#contract/rendered-page.ts'

type Answer = { data: unknown; dataUpdatedAt: number }

const rendered = new WeakMap<QueryClient, Map<string, Answer>>()

/** Puts into the cache what the server has rendered the document with. */
export function hydrateAnswers(client: QueryClient, queries: PageState['queries']): void {
  hydrate(client, { queries })
  const answers = client
    .getQueryCache()
    .getAll()
    .map(({ queryHash, state: { data, dataUpdatedAt } }) => [queryHash, { data, dataUpdatedAt }] as const)
  rendered.set(client, new Map(answers))
}

/** What the server has rendered with, where another answer has come since. */
function overtakenAnswer(client: QueryClient, queryKey: QueryKey): Answer | null {
  const query = client.getQueryCache().find({ queryKey })
  const answer = query && rendered.get(client)?.get(query.queryHash)
  return answer && answer.dataUpdatedAt !== query.state.dataUpdatedAt ? answer : null
}

/**
 * `useQuery` of TanStack Query for pages that the server renders. React hydrates parts of a page by and by, and an answer that comes
 * in between is in the cache at once: the parts behind it would not fit what stands in the document, and React would throw away
 * the elements that are shown, with what was typed there. While a part is hydrated it reads what the server has read.
 */
export function useQuery<T, K extends QueryKey>(options: UseQueryOptions<T, Error, T, K>): UseQueryResult<T> {
  const client = useQueryClient()
  const result = useLatestQuery(options)
  const overtaken = useSyncExternalStore(
    () => () => {},
    () => null,
    () => overtakenAnswer(client, options.queryKey),
  )
  return overtaken ? ({ ...result, ...overtaken } as UseQueryResult<T>) : result
}
