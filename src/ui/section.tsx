import { Suspense, useId, type ReactNode } from 'react'
import { Boundary, PART_FAILED } from './failure.tsx'

type Props = { title: string; titleClass?: string; className?: string; children: ReactNode }

/** A part of a page, named by its heading; React hydrates it by itself, and its failure stays in it. */
export function Section({ title, titleClass = 'mb-3 text-xl', className, children }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={className}>
      <h2 id={id} className={titleClass}>
        {title}
      </h2>
      <Boundary failed={PART_FAILED}>
        <Suspense>{children}</Suspense>
      </Boundary>
    </section>
  )
}
