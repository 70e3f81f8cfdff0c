import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
import { outcomeCopy as copy } from '#web/parts/outcomes/outcomes.copy.ts'

type FailureProps = { message?: string; onRetry: () => unknown }

/** Something did not load: what happened, and the button to try again. */
export function LoadFailure({ message = copy.defaultFailure, onRetry }: FailureProps) {
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-4 py-8 text-center">
      <p className="font-bold text-balance">{message}</p>
      <Button kind="plain" onClick={() => void onRetry()}>
        {copy.retry}
      </Button>
    </div>
  )
}

type Props<T> = {
  query: Pick<UseQueryResult<T>, 'data' | 'isError' | 'refetch'>
  skeleton: ReactNode
  children: (data: NonNullable<T>) => ReactNode
}

/** What a query has read: its skeleton until then, a failure when it could not be read. */
export function Loaded<T>({ query: { data, isError, refetch }, skeleton, children }: Props<T>) {
  if (data) return children(data)
  return isError ? <LoadFailure onRetry={refetch} /> : skeleton
}
