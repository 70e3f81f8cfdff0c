import { useQuery } from '#web/use-query.ts'
import { Link } from '#web/navigation.tsx'
import { HOME_POST_COUNT } from '#contract/constants.ts'
import { PageState } from '#ui/page-state.tsx'
import { Icon } from '#ui/icon.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Loaded } from '#web/parts/fallbacks/fallbacks.tsx'
import { CategoryList, MainSection } from '#web/features/posts/sections.tsx'
import { homeCopy } from '#web/features/posts/home.copy.ts'
import { currentTournamentQuery } from '#web/features/posts/current-tournament.ts'
import { Hero } from '#web/features/posts/hero.tsx'
import { NewsFilter } from '#web/features/posts/news-filter.tsx'
import { NowStrip } from '#web/features/posts/now-strip.tsx'
import { LatePicture, PostGridSkeleton, PostList } from '#web/features/posts/post-list.tsx'
import { categoriesQuery, newPostsQuery } from '#web/features/posts/posts.api.ts'
import { homeStructured } from '#web/features/posts/structured-posts.ts'
import { postsCopy as copy } from '#web/features/posts/posts.copy.ts'
import type { Page } from '#web/page.ts'
import { pages, paths } from '#contract/pages.ts'
import { serversQuery, readSiteName, settingsQuery, useSettings } from '#web/parts/settings/settings.ts'
import { lazyComponent } from '#web/load-chunk.tsx'
import { useSession } from '#web/session/session-store.ts'
import type { User } from '#contract/users.ts'

function HomePage() {
  const settings = useSettings()
  return (
    <>
      <OwnPlace />
      <Hero />
      <div className="shell-width">
        <NowStrip />
        <NewPosts />
        <Categories />
        <MainSection title={homeCopy.otherPagesTitle}>
          <OtherPages />
        </MainSection>
        {settings.home_intro && <Intro text={settings.home_intro} />}
        <MainSection title={homeCopy.picturesTitle}>
          <GamePictures />
        </MainSection>
      </div>
    </>
  )
}

/** Plain text from the settings; an empty line separates the paragraphs. */
function Intro({ text }: { text: string }) {
  return (
    <MainSection title={homeCopy.about}>
      <div className="max-w-text space-y-3">
        {text.split(/\n{2,}/).map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </div>
    </MainSection>
  )
}

function NewPosts() {
  const query = useQuery(newPostsQuery)
  return (
    <MainSection title={copy.newPosts}>
      <NewsFilter />
      <Loaded query={query} skeleton={<PostGridSkeleton count={HOME_POST_COUNT} />}>
        {(posts) => (
          <>
            {posts.length === 0 && <PageState picture="empty" title={copy.noPosts} />}
            <PostList posts={posts} shownMax={HOME_POST_COUNT} hasLead />
          </>
        )}
      </Loaded>
    </MainSection>
  )
}

function Categories() {
  return (
    <MainSection title={copy.categories}>
      <Loaded query={useQuery(categoriesQuery)} skeleton={<Skeleton className="h-24 w-full" />}>
        {(categories) => <CategoryList categories={categories} />}
      </Loaded>
    </MainSection>
  )
}

const otherPages = [
  { name: 'ranking', icon: 'people' },
  { name: 'tournaments', icon: 'calendar' },
  { name: 'gemCalculator', icon: 'gem' },
] as const

/** The pages that the top navigation has no room for. */
function OtherPages() {
  return (
    <ul className="grid gap-3 sm:grid-cols-3">
      {otherPages.map(({ name, icon }) => (
        <li
          key={name}
          className="group relative flex items-center gap-4 rounded-xl border border-line bg-raised p-4 shadow-card"
        >
          <Icon name={icon} className="size-7 text-vermilion" />
          <div className="min-w-0">
            <h3 className="text-base">
              <Link to={paths[name]} className="after:absolute after:inset-0 group-hover:text-vermilion">
                {pages[name].title}
              </Link>
            </h3>
            <p className="text-sm text-soft">{homeCopy.otherPages[name]}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}

function GamePictures() {
  return (
    <ul className="grid gap-5 sm:grid-cols-3">
      {homeCopy.pictures.map(({ name, caption, alt }) => (
        <li key={name}>
          <figure>
            <LatePicture far="everywhere" className="rounded-xl">
              <img
                src={`/images/game/${name}-320.webp`}
                srcSet={`/images/game/${name}-320.webp 320w, /images/game/${name}-640.webp 640w`}
                sizes="(min-width: 64rem) 360px, (min-width: 40rem) 30vw, 94vw"
                width={640}
                height={360}
                alt={alt}
                loading="lazy"
                decoding="async"
                className="aspect-video h-auto w-full rounded-xl bg-sunken object-cover"
              />
            </LatePicture>
            <figcaption className="mt-2 text-sm text-soft">{caption}</figcaption>
          </figure>
        </li>
      ))}
    </ul>
  )
}

export const page: Page = {
  Component: HomePage,
  queries: () => [settingsQuery, serversQuery, newPostsQuery, categoriesQuery, currentTournamentQuery],
  head: ({ client }) => ({
    title: readSiteName(client),
    description: client.getQueryData(settingsQuery.queryKey)?.site_description,
  }),
  structured: import.meta.env.SSR && homeStructured,
}

const OwnCards = lazyComponent<{ user: User }>(
  () => import('#web/features/posts/own-cards.tsx').then((part) => part.OwnCards),
  { failed: homeCopy.ownFailed },
)

/**
 * What concerns a player, above what concerns everybody. Of fixed height, and there from the first paint on where a session
 * is stored; a newcomer has the three steps in its place.
 */
function OwnPlace() {
  const { status, user, isLeaving } = useSession()
  if (status === 'anonymous') return null
  return (
    <section aria-label={homeCopy.own} className="own-place-home while-signed-in bg-sunken">
      {user && !isLeaving && <OwnCards user={user} />}
    </section>
  )
}
