import { Link } from '#web/navigation.tsx'
import { ageNotice } from '#contract/constants.ts'
import { pages, paths } from '#contract/pages.ts'
import { reopenQuestion } from '#web/parts/pixel/consent.ts'
import { shellCopy as copy } from '#web/shell/shell.copy.ts'
import { ageClassOf, siteNameOf, useSettings } from '#web/parts/settings/settings.ts'

const { home, download, community, recharge, exchange, ranking, tournaments, gemCalculator, ...more } = pages
const links = [
  home,
  community,
  recharge,
  exchange,
  download,
  ranking,
  tournaments,
  gemCalculator,
  more.askForHelp,
  ...(['terms', 'privacy', 'refunds'] as const).map((kind) => ({
    title: more[kind].title,
    path: paths[kind](),
  })),
]

export function Footer() {
  const settings = useSettings()
  const siteName = siteNameOf(settings)
  const ageClass = ageClassOf(settings)
  return (
    <footer className="shell-foot mt-14 bg-night text-on-night max-md:text-[0.8125rem] max-md:leading-snug">
      <div className="shell-width flex flex-col gap-1 pt-4 md:flex-row md:items-start md:justify-between md:gap-6 md:py-8">
        <div className="flex max-w-md items-start gap-4">
          <span aria-hidden="true" className="seal mt-1 px-2 py-2.5 md:px-2.5 md:py-3 md:text-lg">
            {ageClass}
          </span>
          <p className="text-on-night-soft md:text-[0.9375rem]">{ageNotice(ageClass)}</p>
        </div>
        <nav aria-label={copy.footer}>
          <ul className="flex flex-wrap gap-x-5 md:grid md:grid-cols-2 lg:grid-cols-4">
            {links.map(({ title, path }, index) => (
              // On phones the tabs of the first four stand right below.
              <li key={path} className={index < 4 ? 'max-md:hidden' : ''}>
                <Link to={path}>{title}</Link>
              </li>
            ))}
            {settings.pixel_id && (
              <li className="col-span-full">
                <button type="button" className="while-scripting" onClick={reopenQuestion}>
                  {copy.pixelSettings}
                </button>
              </li>
            )}
          </ul>
        </nav>
      </div>
      <p className="shell-width pt-1 pb-4 text-xs whitespace-pre-line text-on-night-soft md:pb-8 md:text-sm">
        © {siteName}
        {settings.seller && `\n${settings.seller}`}
      </p>
    </footer>
  )
}
