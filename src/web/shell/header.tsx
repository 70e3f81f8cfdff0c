import { Link } from '#web/navigation.tsx'
import { buttonClass } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { pages, paths } from '#contract/pages.ts'
import { Menu } from '#web/shell/menu.tsx'
import { SessionBar } from '#web/shell/session-bar.tsx'
import { siteNameOf, useSettings } from '#web/parts/settings/settings.ts'

/** One row: on a phone the rest of it is in the menu. */
export function Header() {
  const settings = useSettings()
  return (
    <header
      className={`shell-width shell-head bg-paper ${settings['logo_center'] === '1' ? 'is-centered' : ''}`}
    >
      <Logo siteName={siteNameOf(settings)} />
      <SessionBar />
      <Link
        to={paths.download}
        className={buttonClass('plain', 'justify-self-end [grid-area:download] max-md:hidden')}
      >
        <Icon name="download" />
        {pages.download.title}
      </Link>
      <Menu />
    </header>
  )
}

/** The spec's logo: at most 180 px wide, a link to the home page. */
function Logo({ siteName }: { siteName: string }) {
  return (
    <Link to={paths.home} className="shell-logo rounded-lg py-1.5">
      <img src="/images/logo.svg" width={540} height={170} alt={siteName} className="h-auto w-full" />
    </Link>
  )
}
