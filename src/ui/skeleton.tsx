/** A place held for something on its way. Its size comes from the caller, so that nothing moves later. */
export function Skeleton({ className = 'h-4 w-full' }: { className?: string }) {
  return <span aria-hidden="true" className={`skeleton block ${className}`} />
}
