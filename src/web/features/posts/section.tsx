import { Suspense, useId, type ReactNode } from 'react'

/** A part of a page under a brushed heading, which React hydrates by itself. */
export function MainSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-10">
      <h2 id={id} className="brush-title mb-5 text-2xl">
        {title}
      </h2>
      <Suspense>{children}</Suspense>
    </section>
  )
}
