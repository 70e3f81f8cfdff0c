import { NavLink } from 'react-router'
import { paths } from '#contract/pages.ts'

const entries = [
  { label: 'Hồ sơ', to: paths.profile },
  { label: 'Lịch sử', to: paths.transactions },
  { label: 'Đã mua', to: paths.deliveries() },
  { label: 'Chuyển TCoin', to: paths.transfer },
]

/** The pages of one's own account, side by side. */
export function AccountNav() {
  return (
    <nav aria-label="Tài khoản" className="mb-6 border-b border-line">
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
