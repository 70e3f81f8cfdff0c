import { Skeleton } from '#ui/skeleton.tsx'
import { kitCopy } from '#admin/kit/kit.copy.ts'

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
