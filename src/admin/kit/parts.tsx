import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
import { kitCopy } from '#admin/kit/kit.copy.ts'
import { LoadFailure } from '#admin/kit/loaded.tsx'
import { PageSkeleton } from './loaded.tsx'

type Part<Row> = { rows: Row[]; next: string | null }

type PartsProps<Row> = {
  /** The call and what it is about: by it the rows are found in the cache. */
  name: readonly string[]
  load: (before: string | undefined) => Promise<Part<Row>>
  empty: string
  children: (row: Row) => ReactNode
}

/** Rows about one thing, the newest first; older ones are added below. */
export function Parts<Row extends { id: string }>({ name, load, empty, children }: PartsProps<Row>) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: name,
    queryFn: ({ pageParam }) => load(pageParam ?? undefined),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
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
