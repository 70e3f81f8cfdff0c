/** A placeholder for something that is being read. The caller sets its size, so that nothing moves later. */
export function Skeleton({ className = 'h-4 w-full' }: { className?: string }) {
  return <span aria-hidden="true" className={`skeleton block ${className}`} />
}

type Props = { count: number; each: string; className: string }

/** Placeholders for several things of one size. */
export function Skeletons({ count, each, className }: Props) {
  return (
    <div aria-busy="true" className={className}>
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} className={each} />
      ))}
    </div>
  )
}
