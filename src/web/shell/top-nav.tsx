import { NavLink } from '#web/navigation.tsx'
import { pages } from '#contract/pages.ts'
import { Icon, type IconName } from '#ui/icon.tsx'
import { hasGift, useSession } from '#web/session/session-store.ts'
import { shellCopy as copy } from '#web/shell/shell.copy.ts'

type NavEntry = { label: string; to: string; icon: IconName; isUntilGift?: boolean }

const { home, recharge, exchange, community, gift } = pages

const navEntries: readonly NavEntry[] = [
  { label: home.title, to: home.path, icon: 'home' },
  { label: recharge.title, to: recharge.path, icon: 'wallet' },
  { label: exchange.title, to: exchange.path, icon: 'exchange' },
  { label: copy.community, to: community.path, icon: 'chat' },
  { label: gift.title, to: gift.path, icon: 'gift', isUntilGift: true },
]

/** Until the player is known the document's mark hides the gift's entry, so that the others do not move. */
export function TopNav() {
  const { user } = useSession()
  const isGiftTaken = user !== null && hasGift(user)
  return (
    <nav aria-label={copy.mainNav} className="top-nav sticky top-0 z-20 bg-night">
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
