import { Skeleton } from './skeleton.tsx'

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
