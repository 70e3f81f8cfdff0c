import { NavLink } from 'react-router'
import { Icon } from '#ui/icon.tsx'
import { navEntries } from '#web/shell/nav-entries.ts'

export function TopNav() {
  return (
    <nav aria-label="Chính" className="top-nav sticky top-0 z-20 bg-night">
      <div className="shell-width flex px-1 md:px-4">
        {navEntries.map(({ label, to, icon }) => (
          <NavLink key={to} to={to}>
            <Icon name={icon} />
            {label}
          </NavLink>
        ))}
      </div>
    </nav>
  )
}
