import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { kitCopy } from './kit.copy.ts'
import { messagesOf } from './outcome.ts'

/** Something did not load: why, and the button to try again. */
export function LoadFailure({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-4 py-8 text-center">
      <p>{messagesOf(error).join(' ')}</p>
      <Button kind="plain" onClick={() => void onRetry()}>
        {kitCopy.retry}
      </Button>
    </div>
  )
}

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
