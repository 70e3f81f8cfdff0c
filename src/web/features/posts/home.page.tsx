import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { HOME_POST_COUNT } from '#contract/constants.ts'
import { buttonClass } from '#ui/button.tsx'
import { LoadFailure, PageState } from '#ui/page-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { outcomeCopy } from '#web/parts/outcomes/outcomes.copy.ts'
import { CategoryList } from '#web/features/posts/category-list.tsx'
import { GamePictures } from '#web/features/posts/game-pictures.tsx'
import { PostGridSkeleton } from '#web/features/posts/post-card.tsx'
import { categoriesQuery, newPostsQuery } from '#web/features/posts/posts.api.ts'
import { PostList } from '#web/features/posts/post-list.tsx'
import { postsCopy as copy } from '#web/features/posts/posts.copy.ts'
import { Ways } from '#web/features/posts/ways.tsx'
import { Section } from '#web/features/posts/section.tsx'
import type { Page } from '#web/page.ts'
import { paths } from '#contract/pages.ts'
import { readAnswer } from '#web/query-client.ts'
import { readSiteName, settingsQuery, siteNameOf, useSettings } from '#web/parts/settings/settings.ts'

function HomePage() {
  const settings = useSettings()
  return (
    <>
      <Hero />
      <div className="shell-width">
        {settings.home_intro && <Intro text={settings.home_intro} />}
        <NewPosts />
        <Categories />
        <Ways />
        <GamePictures />
      </div>
    </>
  )
}

/** Plain text from the settings; an empty line parts the paragraphs. */
function Intro({ text }: { text: string }) {
  return (
    <div className="mt-8 max-w-prose space-y-3">
      {text.split(/\n{2,}/).map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </div>
  )
}

function Hero() {
  const settings = useSettings()
  return (
    <div className="relative bg-night">
      <img
        src="/images/hero-960.webp"
        srcSet="/images/hero-480.webp 480w, /images/hero-960.webp 960w, /images/hero-1600.webp 1600w"
        sizes="100vw"
        width={1600}
        height={700}
        alt=""
        fetchPriority="high"
        className="hero-picture block w-full object-cover"
      />
      <div className="hero-shade absolute inset-0 flex items-end">
        <div className="shell-width pb-6 text-on-night md:pb-12">
          <h1 className="text-3xl md:text-5xl">{siteNameOf(settings)}</h1>
          <p className="mt-2 max-w-xl text-[0.9375rem] md:text-lg">{settings.site_description}</p>
          <div className="mt-4 flex flex-wrap gap-3">
            <Link to={paths.download} className={buttonClass('main')}>
              {copy.download}
            </Link>
            <Link to={paths.recharge} className={buttonClass('night')}>
              {copy.recharge}
            </Link>
          </div>
        </div>
      </div>
    </div>
  )
}

function NewPosts() {
  const { data, isError, refetch } = useQuery(newPostsQuery)
  return (
    <Section title={copy.newPosts}>
      {isError && <LoadFailure message={outcomeCopy.defaultFailure} onRetry={() => void refetch()} />}
      {!data && !isError && <PostGridSkeleton count={HOME_POST_COUNT} />}
      {data?.length === 0 && (
        <PageState
          title={copy.noPosts}
          picture={{ src: '/images/empty-scroll.svg', width: 240, height: 180 }}
        />
      )}
      {data && <PostList posts={data} shownMax={HOME_POST_COUNT} hasLead />}
    </Section>
  )
}

function Categories() {
  const { data, isError, refetch } = useQuery(categoriesQuery)
  return (
    <Section title={copy.categories}>
      {isError && <LoadFailure message={outcomeCopy.defaultFailure} onRetry={() => void refetch()} />}
      {!data && !isError && <Skeleton className="h-24 w-full" />}
      {data && <CategoryList categories={data} />}
    </Section>
  )
}

export const page: Page = {
  Component: HomePage,
  queries: () => [settingsQuery, newPostsQuery, categoriesQuery],
  head: ({ client }) => ({
    title: readSiteName(client),
    description: readAnswer(client, settingsQuery)?.site_description,
  }),
}
