import { useQuery } from '#web/use-query.ts'
import { buttonClass } from '#ui/button.tsx'
import { Icon, type IconName } from '#ui/icon.tsx'
import { Skeletons } from '#ui/skeleton.tsx'
import { Loaded, EmptyList } from '#web/parts/fallbacks/fallbacks.tsx'
import { communityLinks, type CommunityLink } from '#web/features/community/community-links.ts'
import { communityCopy as copy } from '#web/features/community/community.copy.ts'
import type { Page } from '#web/page.ts'
import { pages, paths } from '#contract/pages.ts'
import { reportToPixel } from '#web/parts/pixel/pixel.ts'
import { settingsQuery } from '#web/parts/settings/settings.ts'

function CommunityPage() {
  return (
    <div className="shell-width pt-8">
      <h1 className="brush-title text-3xl">{pages.community.title}</h1>
      <p className="mt-3 max-w-text text-soft">{copy.intro}</p>
      <Loaded
        query={useQuery(settingsQuery)}
        skeleton={<Skeletons count={2} each="h-20 w-full" className={`mt-10 ${gridClass}`} />}
      >
        {(settings) => <MeetingPlaces {...communityLinks(settings)} />}
      </Loaded>
    </div>
  )
}

const gridClass = 'grid gap-3 sm:grid-cols-2 lg:grid-cols-3'

function MeetingPlaces({ facebook, zalo }: ReturnType<typeof communityLinks>) {
  if (facebook.length + zalo.length === 0) {
    return <EmptyList title={copy.none} text={copy.noneMore} to={paths.home} linkText={copy.toHome} />
  }
  return (
    <>
      <Places title={copy.facebook} icon="people" links={facebook} />
      <Places title={copy.zalo} lead={copy.zaloNote} icon="chat" links={zalo.slice(0, 1)} />
      <NextBoxes boxes={zalo.slice(1)} />
    </>
  )
}

/** Where to go when the first box is full. */
function NextBoxes({ boxes }: { boxes: CommunityLink[] }) {
  if (boxes.length === 0) return null
  return (
    <>
      <p className="mt-4 mb-2">{copy.whenFull}</p>
      <ul className="flex flex-wrap gap-2">
        {boxes.map(({ label, href }) => (
          <li key={label}>
            <a
              href={href}
              target="_blank"
              rel="noopener noreferrer"
              onClick={() => reportToPixel('Contact')}
              className={buttonClass('plain')}
            >
              {label}
              <span className="sr-only"> {copy.newTab}</span>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

type PlacesProps = { title: string; lead?: string; icon: IconName; links: CommunityLink[] }

function Places({ title, lead, icon, links }: PlacesProps) {
  if (links.length === 0) return null
  return (
    <section className="mt-7">
      <h2 className="mb-3 text-xl">{title}</h2>
      {lead && <p className="-mt-2 mb-3 max-w-text text-soft">{lead}</p>}
      <ul className={gridClass}>
        {links.map((link) => (
          <li key={link.label}>
            <Place link={link} icon={icon} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Place({ link: { label, note, href }, icon }: { link: CommunityLink; icon: IconName }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      onClick={() => reportToPixel('Contact')}
      className="group flex h-full min-h-20 items-center gap-4 rounded-xl border border-line bg-raised p-4 shadow-card hover:border-line-strong"
    >
      <Icon name={icon} className="size-7 text-vermilion" />
      <span className="min-w-0 flex-1">
        <strong className="block group-hover:text-vermilion">{label}</strong>
        {note && <span className="block text-sm text-soft">{note}</span>}
      </span>
      <Icon name="arrow" className="size-5 text-soft" />
      <span className="sr-only">{copy.newTab}</span>
    </a>
  )
}

export const page: Page = {
  Component: CommunityPage,
  queries: () => [settingsQuery],
  head: () => ({ description: copy.description }),
}
