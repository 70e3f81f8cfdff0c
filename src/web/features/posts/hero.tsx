import { useQuery } from '#web/use-query.ts'
import { paths } from '#contract/pages.ts'
import { buttonClass } from '#ui/button.tsx'
import { Link, usePathname } from '#web/navigation.tsx'
import { homeCopy as copy } from '#web/features/posts/home.copy.ts'
import { serversQuery, siteNameOf, useSettings } from '#web/parts/settings/settings.ts'

/** The picture of the village with the name of the game: on a phone the text is below it, on a wide screen beside the ninja. */
export function Hero() {
  const settings = useSettings()
  // At other addresses it is rendered for visitors only: a player's device does not load the picture.
  const isAtHome = usePathname() === paths.home
  return (
    <div className="hero bg-night text-on-night">
      <div className="hero-art">
        <picture>
          <source
            type="image/avif"
            srcSet="/images/hero-480.avif 480w, /images/hero-736.avif 736w, /images/hero-960.avif 960w, /images/hero-1600.avif 1600w"
            sizes="100vw"
          />
          <img
            src="/images/hero-960.webp"
            width={1600}
            height={700}
            alt=""
            fetchPriority="high"
            loading={isAtHome ? undefined : 'lazy'}
            className="hero-picture block w-full object-cover"
          />
        </picture>
      </div>
      <div className="hero-text">
        <div className="shell-width">
          <h1 className="text-2xl md:text-5xl">{siteNameOf(settings)}</h1>
          <p className="hero-words mt-1 text-[0.9375rem] leading-snug text-on-night-soft md:mt-2 md:text-lg md:text-on-night">
            {settings.site_description}
          </p>
          <GameFacts />
          <Actions className="while-anonymous" main={actions.download} other={actions.recharge} />
          <Actions className="while-signed-in" main={actions.recharge} other={actions.exchange} />
        </div>
      </div>
    </div>
  )
}

/** What kind of game it is, for those who have never heard of it. */
function GameFacts() {
  const { data: servers = [] } = useQuery(serversQuery)
  return (
    <ul className="hero-words mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm text-on-night-soft">
      {copy.facts.map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
      {servers.length > 0 && (
        <li>{copy.servers(servers.length, servers.map(({ name }) => name).join(', '))}</li>
      )}
    </ul>
  )
}

const actions = {
  download: { to: paths.download, label: copy.download },
  recharge: { to: paths.recharge, label: copy.recharge },
  exchange: { to: paths.exchange, label: copy.exchange },
}

type Action = { to: string; label: string }

/** The attribute of the document selects the right pair before any script has run. */
function Actions({ className, main, other }: { className: string; main: Action; other: Action }) {
  return (
    <div className={`hero-actions ${className}`}>
      <Link to={main.to} className={buttonClass('main')}>
        {main.label}
      </Link>
      <Link to={other.to} className={buttonClass('night')}>
        {other.label}
      </Link>
    </div>
  )
}
