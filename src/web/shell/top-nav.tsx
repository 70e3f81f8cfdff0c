import { NavLink } from '#web/navigation.tsx'
import { pages } from '#contract/pages.ts'
import { Icon, type IconName } from '#ui/icon.tsx'
import { shellCopy as copy } from '#web/shell/shell.copy.ts'

type NavEntry = { label: string; to: string; icon: IconName; className?: string }

const { home, recharge, exchange, community, gift, ranking, tournaments } = pages

/** The gift's place goes to the events, on phones, once it is taken: the attribute of the document decides before the player is known. */
const navEntries: readonly NavEntry[] = [
  { label: home.title, to: home.path, icon: 'home' },
  { label: recharge.title, to: recharge.path, icon: 'wallet' },
  { label: exchange.title, to: exchange.path, icon: 'exchange' },
  { label: community.title, to: community.path, icon: 'chat' },
  { label: gift.title, to: gift.path, icon: 'gift', className: 'until-gift' },
  { label: tournaments.title, to: tournaments.path, icon: 'calendar', className: 'after-gift' },
]

/** The tab bar at the foot of a phone's screen, and the bar under the header of wider ones. */
export function TopNav() {
  return (
    <div className="top-nav z-20 bg-night">
      <div className="shell-width flex justify-between px-1 md:px-4">
        <nav aria-label={copy.mainNav} className="flex grow">
          {navEntries.map(({ label, to, icon, className }) => (
            <NavLink key={to} to={to} className={className}>
              <Icon name={icon} />
              {label}
            </NavLink>
          ))}
        </nav>
        {/* On phones they are in the menu. */}
        <nav aria-label={copy.moreNav} className="hidden lg:flex">
          {[ranking, tournaments].map(({ title, path }) => (
            <NavLink key={path} to={path}>
              {title}
            </NavLink>
          ))}
        </nav>
      </div>
    </div>
  )
}
