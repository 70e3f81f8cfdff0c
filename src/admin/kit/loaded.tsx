import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { consoleCall } from '#admin/console-call.ts'
import { read } from '#admin/query.ts'
import type { CallInput } from '#client/call.ts'
import type { AnswerOf, Endpoint, ParamsOf } from '#contract/endpoint.ts'
import { Button } from '#ui/button.tsx'
import { Failure } from '#ui/failure.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { kitCopy } from './kit.copy.ts'
import { messagesOf } from './use-send.ts'

/** Something did not load: why, and the button to try again. */
export const LoadFailure = ({ error, onRetry }: { error: unknown; onRetry: () => unknown }) => (
  <Failure text={messagesOf(error).join(' ')} onRetry={onRetry} />
)

type Props<T> = {
  /** Of `read`. */
  query: { queryKey: readonly unknown[]; queryFn: () => Promise<T> }
  children: (data: T) => ReactNode
}

/** What a query brings, or what is shown until it is there, or why it is not. */
export function Loaded<T>({ query, children }: Props<T>) {
  const { data, error, refetch } = useQuery(query)
  if (data !== undefined) return children(data)
  return error ? <LoadFailure error={error} onRetry={refetch} /> : <PageSkeleton />
}

/** The screen of one row, whose parameter in the address is that of the call. */
export function RowPage<E extends Endpoint>({
  endpoint,
  children,
}: {
  endpoint: E
  children: (row: AnswerOf<E>) => ReactNode
}) {
  const params = useParams() as ParamsOf<E>
  return (
    <Loaded key={Object.values(params as object).join()} query={read(endpoint, { params } as CallInput<E>)}>
      {children}
    </Loaded>
  )
}

/** In place of what is still being loaded. */
export function PageSkeleton() {
  return (
    <div role="status" className="space-y-3 p-4">
      <span className="sr-only">{kitCopy.wait}</span>
      <Skeleton className="h-8 w-1/3" />
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-24 w-full" />
    </div>
  )
}

type RowOf<E> = AnswerOf<E> extends { rows: (infer Row)[] } ? Row : never
type Part<E> = { rows: (RowOf<E> & { id: string })[]; next: string | null }

/** What a call tells about one thing, the newest first and part by part. */
export const useParts = <E extends Endpoint>(endpoint: E, params: ParamsOf<E>) =>
  useInfiniteQuery({
    queryKey: [endpoint.path, ...Object.values(params as object)],
    queryFn: async ({ pageParam: before }) =>
      (await consoleCall(endpoint, {
        params,
        query: before === null ? {} : { before },
      } as CallInput<E>)) as Part<E>,
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })

type PartsProps<E extends Endpoint> = {
  endpoint: E
  params: ParamsOf<E>
  empty: string
  children: (row: RowOf<E>) => ReactNode
}

/** Rows about one thing, the newest first; older ones are added below. */
export function Parts<E extends Endpoint>({ endpoint, params, empty, children }: PartsProps<E>) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useParts(endpoint, params)
  if (error && !data) return <LoadFailure error={error} onRetry={refetch} />
  if (data === undefined) return <PageSkeleton />
  const rows = data.pages.flatMap((page) => page.rows)
  if (rows.length === 0) return <p className="text-soft">{empty}</p>
  return (
    <>
      <ul className="divide-y divide-line">
        {rows.map((row) => (
          <li key={row.id} className="py-2 wrap-anywhere">
            {children(row)}
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button
          kind="plain"
          className="mt-2"
          isBusy={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {kitCopy.older}
        </Button>
      )}
    </>
  )
}
