import type { ReactNode } from 'react'

export function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="rounded-xl border border-line bg-raised p-4 shadow-card sm:p-5">
      <h2 className="mb-3 text-xl">{title}</h2>
      {children}
    </section>
  )
}
