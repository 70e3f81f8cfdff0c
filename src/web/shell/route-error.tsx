import { isRouteErrorResponse, useRouteError } from 'react-router'
import { LoadFailure } from '#ui/page-state.tsx'
import { outcomeCopy } from '#web/parts/outcomes/outcomes.copy.ts'
import { NotFound } from '#web/parts/page-states/not-found.tsx'

/** In the place of a page that could not be shown. */
export function RouteError() {
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />
  return (
    <div className="grid min-h-[50vh] place-items-center">
      {/* Loading the document anew also mends a page whose scripts were replaced by a newer release. */}
      <LoadFailure message={outcomeCopy.defaultFailure} onRetry={() => location.reload()} />
    </div>
  )
}
