import { useEffect, type ReactNode } from 'react'
import type { UseQueryResult } from '@tanstack/react-query'
import { useSearchParams } from '#web/navigation.tsx'
import { Pager } from '#ui/pager.tsx'
import { LoadFailure } from '#web/parts/fallbacks/fallbacks.tsx'

type Turn = (page: number, options?: { replace: boolean }) => void

/** The highest page the API accepts. */
const PAGE_MAX = 1_000_000

/** The page in the address; 1 when there is none. */
export function pageIn(address: URLSearchParams): number {
  const page = Number(address.get('page'))
  return Number.isInteger(page) && page > 0 && page <= PAGE_MAX ? page : 1
}

export function usePageInAddress(): { page: number; turn: Turn } {
  const [address, setAddress] = useSearchParams()
  return {
    page: pageIn(address),
    turn: (next, options) => setAddress(next > 1 ? { page: String(next) } : {}, options),
  }
}

type Paged<Row> = { data: Row[]; payload: { pagination: { last_page: number } } }

type Props<Row> = {
  query: Pick<UseQueryResult<Paged<Row>>, 'data' | 'isError' | 'isPlaceholderData' | 'refetch'>
  page: number
  onTurn: Turn
  /** Shown while the rows are read. */
  skeleton: ReactNode
  /** Shown when there are none. */
  empty: ReactNode
  children: (rows: readonly Row[]) => ReactNode
}

/** A list that is read page by page: its rows, or why there are none, and its pages. */
export function PagedList<Row>({ query, page, onTurn, skeleton, empty, children }: Props<Row>) {
  const { data, isError, isPlaceholderData, refetch } = query
  const lastPage = data?.payload.pagination.last_page ?? page
  // The list may have become shorter since the address was opened.
  const isPast = !isPlaceholderData && page > lastPage
  useEffect(() => {
    if (isPast) onTurn(lastPage, { replace: true })
  })
  if (!data && isError) return <LoadFailure onRetry={refetch} />
  if (!data || isPast) return skeleton
  return (
    <>
      {data.data.length === 0 ? (
        empty
      ) : (
        <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60' : ''}>
          {children(data.data)}
        </div>
      )}
      <Pager page={page} lastPage={lastPage} isBusy={isPlaceholderData} onTurn={onTurn} />
    </>
  )
}
