import { LoadFailure } from '#web/parts/page-states/loaded.tsx'
import { NotFound } from '#web/parts/page-states/not-found.tsx'

/** Shown instead of a page that failed. */
export function RouteError({ status }: { status: number }) {
  if (status === 404) return <NotFound />
  return (
    <div className="grid min-h-[50vh] place-items-center">
      {/* Loading the document anew also repairs a page whose scripts were replaced by a newer release. */}
      <LoadFailure onRetry={() => location.reload()} />
    </div>
  )
}
