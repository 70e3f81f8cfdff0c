import { useQuery } from '#web/use-query.ts'
import { pages } from '#contract/pages.ts'
import { PageState } from '#ui/page-state.tsx'
import { NewsFilter } from '#web/features/posts/news-filter.tsx'
import { PostGridSkeleton, PostList } from '#web/features/posts/post-list.tsx'
import { categoriesQuery, FOUND_POST_COUNT, foundPostsQuery } from '#web/features/posts/posts.api.ts'
import { postsCopy as copy } from '#web/features/posts/posts.copy.ts'
import { useParams } from '#web/navigation.tsx'
import type { Page } from '#web/page.ts'
import { Loaded } from '#web/parts/fallbacks/fallbacks.tsx'

const SKELETON_COUNT = 6

/** The posts that hold all words of a search, the newest first. */
function SearchPage() {
  const { words = '' } = useParams()
  return (
    <div className="shell-width pt-8">
      <h1 className="brush-title mb-5 text-3xl">{words ? copy.foundFor(words) : pages.search.title}</h1>
      <NewsFilter words={words} />
      {words && <Found words={words} />}
    </div>
  )
}

function Found({ words }: { words: string }) {
  const query = useQuery(foundPostsQuery(words))
  return (
    <>
      <h2 className="sr-only">{copy.posts}</h2>
      <Loaded query={query} skeleton={<PostGridSkeleton count={SKELETON_COUNT} />}>
        {(posts) => (
          <>
            {posts.length === 0 && (
              <PageState picture="empty" title={copy.noneFound} text={copy.noneFoundMore} />
            )}
            <PostList posts={posts.slice(0, FOUND_POST_COUNT)} shownMax={FOUND_POST_COUNT} />
            {posts.length > FOUND_POST_COUNT && (
              <p className="mt-6 text-center text-soft">{copy.moreFound(FOUND_POST_COUNT)}</p>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

export const page: Page = {
  Component: SearchPage,
  queries: ({ words }) => [...(words ? [foundPostsQuery(words)] : []), categoriesQuery],
  head: ({ params }) => ({
    ...(params.words && { title: copy.foundFor(params.words) }),
    isIndexable: false,
  }),
}
