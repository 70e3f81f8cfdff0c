import { LoadFailure } from '#web/parts/page-states/loaded.tsx'
import { StillOpen } from '#web/parts/page-states/still-open.tsx'
import { NotFound } from '#web/parts/page-states/not-found.tsx'

/** Shown instead of a page that failed. */
export function RouteError({ status }: { status: number }) {
  if (status === 404) return <NotFound />
  return (
    <div className="grid min-h-[50vh] place-content-center px-4 text-center">
      {/* Loading the document anew also repairs a page whose scripts were replaced by a newer release. */}
      <LoadFailure onRetry={() => location.reload()} />
      <StillOpen />
    </div>
  )
}
