import { keptPart } from '#web/kept-part.tsx'
import { Link } from '#web/navigation.tsx'
import { ageNotice } from '#contract/age-class.ts'
import { pages, paths } from '#contract/pages.ts'
import { askForConsent } from '#web/parts/pixel/consent.ts'
import { shellCopy as copy } from '#web/shell/shell.copy.ts'
import { ageClassOf, siteNameOf, useSettings } from '#web/parts/settings/settings.ts'

const { home, download, community, recharge, exchange, ranking, tournaments, gemCalculator, ...more } = pages
const links = [
  home,
  download,
  community,
  recharge,
  exchange,
  ranking,
  tournaments,
  { ...gemCalculator, title: copy.gemCalculator },
  ...(['terms', 'privacy', 'refunds'] as const).map((kind) => ({
    title: more[kind].title,
    path: paths[kind](),
  })),
]

export function Footer() {
  const settings = useSettings()
  const part = import.meta.env.SSR && keptPart(Footer, {}, [settings])
  if (part) return part
  const siteName = siteNameOf(settings)
  const ageClass = ageClassOf(settings)
  return (
    <footer className="shell-foot mt-14 bg-night text-on-night">
      <div className="shell-width flex flex-col gap-6 py-8 md:flex-row md:items-start md:justify-between">
        <div className="flex max-w-md items-start gap-4">
          <span aria-hidden="true" className="seal mt-1 px-2.5 py-3 text-lg">
            {ageClass}
          </span>
          <p className="text-[0.9375rem] text-on-night-soft">{ageNotice(ageClass)}</p>
        </div>
        <nav aria-label={copy.footer}>
          <ul className="grid grid-cols-2 gap-x-5 sm:grid-cols-4 md:grid-cols-2 lg:grid-cols-4">
            {links.map(({ title, path }) => (
              <li key={path}>
                <Link to={path}>{title}</Link>
              </li>
            ))}
            {settings.pixel_id && (
              <li className="col-span-full">
                <button type="button" className="while-scripting" onClick={askForConsent}>
                  {copy.pixelSettings}
                </button>
              </li>
            )}
          </ul>
        </nav>
      </div>
      <p className="shell-width pb-8 text-sm whitespace-pre-line text-on-night-soft">
        © {siteName}
        {settings.seller && `\n${settings.seller}`}
      </p>
    </footer>
  )
}
