import { NavLink } from '#web/navigation.tsx'
import { paths } from '#contract/pages.ts'
import { accountNavCopy as copy } from '#web/parts/navigation/account-nav.copy.ts'

const entries = [
  { label: copy.profile, to: paths.profile },
  { label: copy.statement, to: paths.transactions },
  { label: copy.purchases, to: paths.deliveries() },
  { label: copy.transfer, to: paths.transfer },
]

/** Links between the pages of the player's account. */
export function AccountNav() {
  return (
    <nav aria-label={copy.account} className="mb-6 border-b border-line">
      <ul className="flex max-sm:justify-between sm:gap-1">
        {entries.map(({ label, to }) => (
          <li key={to}>
            <NavLink
              to={to}
              className="flex min-h-11 items-center border-b-4 border-transparent px-1 font-bold whitespace-nowrap text-soft max-sm:text-sm sm:px-3 hover:text-ink aria-[current=page]:border-vermilion aria-[current=page]:text-ink"
            >
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
