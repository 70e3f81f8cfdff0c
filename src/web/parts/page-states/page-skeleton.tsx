import { Skeleton } from '#ui/skeleton.tsx'
import { pageStatesCopy as copy } from '#web/parts/page-states/page-states.copy.ts'

/** Shown while a page's code or data is loaded or the session is verified. */
export function PageSkeleton({ isServerSilent = false }: { isServerSilent?: boolean }) {
  return (
    <div className="shell-width min-h-[70vh] py-8" aria-busy="true">
      <output className={isServerSilent ? 'mb-6 block' : 'sr-only'}>
        {isServerSilent ? copy.serverSilent : copy.loading}
      </output>
      <Skeleton className="h-8 w-56 max-w-full" />
      <Skeleton className="mt-6 h-4 w-full" />
      <Skeleton className="mt-3 h-4 w-11/12" />
      <Skeleton className="mt-3 h-4 w-3/4" />
      <Skeleton className="mt-8 h-48 w-full" />
    </div>
  )
}
