import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
import { kitCopy } from '#admin/kit/kit.copy.ts'
import { messagesOf } from '#admin/kit/outcome.ts'
import { PageSkeleton } from '#admin/kit/page-skeleton.tsx'

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
