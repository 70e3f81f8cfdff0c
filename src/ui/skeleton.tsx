/** A placeholder for something that is being read. The caller sets its size, so that nothing moves later. */
export function Skeleton({ className = 'h-4 w-full' }: { className?: string }) {
  return <span aria-hidden="true" className={`skeleton block ${className}`} />
}
