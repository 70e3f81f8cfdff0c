import type { ReactNode } from 'react'
import { Section } from '#ui/section.tsx'
import { Link } from '#web/navigation.tsx'
import type { Category } from '#contract/posts.ts'
import { Icon } from '#ui/icon.tsx'
import { paths } from '#contract/pages.ts'

/** A part of a page under a brushed heading. */
export const MainSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <Section title={title} titleClass="brush-title mb-5 text-2xl" className="mt-10">
    {children}
  </Section>
)

export function CategoryList({ categories }: { categories: readonly Category[] }) {
  return (
    <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
      {categories.map(({ id, title, description }) => (
        <li key={id} className="group relative rounded-xl border border-line bg-raised p-4 shadow-card">
          <h3 className="flex items-center justify-between gap-2 text-base">
            <Link to={paths.category(id)} className="after:absolute after:inset-0 group-hover:text-vermilion">
              {title}
            </Link>
            <Icon
              name="arrow"
              className="size-5 text-vermilion transition-transform group-hover:[transform:translateX(0.25rem)]"
            />
          </h3>
          <p className="mt-1 text-sm text-soft">{description}</p>
        </li>
      ))}
    </ul>
  )
}
