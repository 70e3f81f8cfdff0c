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
import { useHydrated } from '#ui/use-hydrated.ts'

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

/**
 * `useQuery` of TanStack Query for pages that the server renders. React hydrates parts of a page by and by, and an answer that comes
 * in between is in the cache at once: the parts behind it would not fit what stands in the document, and React would throw away
 * the elements that are shown, with what was typed there. Until a part is hydrated it reads what the server has read.
 */
export function useQuery<T, K extends QueryKey>(options: UseQueryOptions<T, Error, T, K>): UseQueryResult<T> {
  const client = useQueryClient()
  const isHydrated = useHydrated()
  const result = useLatestQuery(options)
  if (isHydrated) return result
  const query = client.getQueryCache().find({ queryKey: options.queryKey })
  const answer = query && rendered.get(client)?.get(query.queryHash)
  if (!answer || answer.dataUpdatedAt === query.state.dataUpdatedAt) return result
  return { ...result, ...answer } as UseQueryResult<T>
}
