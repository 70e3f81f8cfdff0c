import { Link } from 'react-router'
import { Icon } from '#ui/icon.tsx'
import { homeCopy as copy } from '#web/features/posts/home.copy.ts'
import { Section } from '#web/features/posts/section.tsx'
import { paths } from '#contract/pages.ts'

const ways = [
  { ...copy.ways.ranking, to: paths.ranking, icon: 'people' },
  { ...copy.ways.tournaments, to: paths.tournaments, icon: 'calendar' },
  { ...copy.ways.gemCalculator, to: paths.gemCalculator, icon: 'gem' },
] as const

/** The pages that the top navigation has no room for. */
export function Ways() {
  return (
    <Section title={copy.waysTitle}>
      <ul className="grid gap-3 sm:grid-cols-3">
        {ways.map(({ label, text, to, icon }) => (
          <li
            key={to}
            className="group relative flex items-center gap-4 rounded-xl border border-line bg-raised p-4 shadow-card"
          >
            <Icon name={icon} className="size-7 text-vermilion" />
            <div className="min-w-0">
              <h3 className="text-base">
                <Link to={to} className="after:absolute after:inset-0 group-hover:text-vermilion">
                  {label}
                </Link>
              </h3>
              <p className="text-sm text-soft">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}
