import { NavLink } from '#web/navigation.tsx'
import { pages, paths } from '#contract/pages.ts'

const copy = {
  account: 'Tài khoản',
} as const

const { profile, transactions, deliveries, transfer } = pages
const entries = [profile, transactions, { title: deliveries.title, path: paths.deliveries() }, transfer]

/** Links between the pages of the player's account. */
export function AccountNav() {
  return (
    <nav aria-label={copy.account} className="mb-6 border-b border-line">
      <ul className="flex max-sm:justify-between sm:gap-1">
        {entries.map(({ title, path }) => (
          <li key={path}>
            <NavLink
              to={path}
              className="flex min-h-11 items-center border-b-4 border-transparent px-1 text-center leading-tight font-bold text-soft max-sm:max-w-22 max-sm:text-sm sm:px-3 hover:text-ink aria-[current=page]:border-vermilion aria-[current=page]:text-ink"
            >
              {title}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
