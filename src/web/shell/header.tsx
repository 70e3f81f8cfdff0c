import { Link } from '#web/navigation.tsx'
import { buttonClass } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { paths } from '#contract/pages.ts'
import { SessionBar } from '#web/shell/session-bar.tsx'
import { shellCopy as copy } from '#web/shell/shell.copy.ts'
import { siteNameOf, useSettings } from '#web/parts/settings/settings.ts'

export function Header() {
  const settings = useSettings()
  return (
    <header
      className={`shell-width shell-head bg-paper py-1 ${settings['logo_center'] === '1' ? 'is-centered' : ''}`}
    >
      <Logo siteName={siteNameOf(settings)} />
      <div className="[grid-area:session]">
        <SessionBar />
      </div>
      <Link to={paths.download} className={buttonClass('plain', 'justify-self-end [grid-area:download]')}>
        <Icon name="download" />
        {copy.download}
      </Link>
    </header>
  )
}

/** The spec's logo: at most 180 px wide, a link to the home page. */
function Logo({ siteName }: { siteName: string }) {
  return (
    <Link to={paths.home} className="justify-self-start rounded-lg py-1.5 [grid-area:logo]">
      <img
        src="/images/logo.svg"
        width={540}
        height={170}
        alt={siteName}
        className="h-auto w-[140px] max-w-[180px] md:w-[172px]"
      />
    </Link>
  )
}
