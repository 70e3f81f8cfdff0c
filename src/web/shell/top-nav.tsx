import { NavLink } from 'react-router'
import { Icon } from '#ui/icon.tsx'
import { hasGift, useSession } from '#web/session/session-store.ts'
import { navEntries } from '#web/shell/nav-entries.ts'

/** The gift's entry is hidden by the document's mark until the player is known, so that the others do not move. */
export function TopNav() {
  const { user } = useSession()
  const isGiftTaken = user !== null && hasGift(user)
  return (
    <nav aria-label="Chính" className="top-nav sticky top-0 z-20 bg-night">
      <div className="shell-width flex px-1 md:px-4">
        {navEntries.map(({ label, to, icon, isUntilGift }) =>
          isUntilGift && isGiftTaken ? null : (
            <NavLink key={to} to={to} className={isUntilGift ? 'until-gift' : undefined}>
              <Icon name={icon} />
              {label}
            </NavLink>
          ),
        )}
      </div>
    </nav>
  )
}
