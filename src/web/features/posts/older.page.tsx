import { useQuery } from '#web/use-query.ts'
import { BackLink } from '#web/parts/navigation/links.tsx'
import { useParams } from '#web/navigation.tsx'
import { olderTitle, pages, paths } from '#contract/pages.ts'
import type { Category } from '#contract/posts.ts'
import { PageState } from '#ui/page-state.tsx'
import { isMissing } from '#client/call.ts'
import { NewsFilter } from '#web/features/posts/news-filter.tsx'
import { PostGridSkeleton, PostList } from '#web/features/posts/post-list.tsx'
import { categoriesQuery, OLDER_POST_COUNT, olderPostsQuery } from '#web/features/posts/posts.api.ts'
import { postsCopy as copy } from '#web/features/posts/posts.copy.ts'
import type { Page, PageParams } from '#web/page.ts'
import { Loaded, NotFound } from '#web/parts/fallbacks/fallbacks.tsx'

const olderCopy = {
  none: 'Không còn bài nào cũ hơn.',
  newest: 'Về bài mới nhất',
} as const

/** The posts older than one post, of all categories or of one. */
function OlderPage() {
  const params = useParams()
  const query = useQuery(olderPostsQuery(params))
  const category = categoryOf(params, useQuery(categoriesQuery).data)
  if (isMissing(query.error)) return <NotFound />
  return (
    <div className="shell-width pt-8">
      <h1 className="brush-title text-3xl">{titleOf(category)}</h1>
      <BackLink to={category ? paths.category(category.id) : paths.home} className="mt-3 mb-4">
        {olderCopy.newest}
      </BackLink>
      <NewsFilter />
      <h2 className="sr-only">{copy.posts}</h2>
      <Loaded query={query} skeleton={<PostGridSkeleton count={OLDER_POST_COUNT} />}>
        {(posts) => (
          <>
            {posts.length === 0 && <PageState picture="empty" title={olderCopy.none} />}
            <PostList posts={posts} shownMax={OLDER_POST_COUNT} categoryId={params.id} />
          </>
        )}
      </Loaded>
    </div>
  )
}

const categoryOf = ({ id }: PageParams, categories?: readonly Category[]) =>
  categories?.find((category) => category.id === id)

const titleOf = (category: Category | undefined) =>
  category ? olderTitle(category.title) : pages.olderPosts.title

export const page: Page = {
  Component: OlderPage,
  queries: (params) => [olderPostsQuery(params), categoriesQuery],
  head: ({ client, params }) => ({
    title: titleOf(categoryOf(params, client.getQueryData(categoriesQuery.queryKey))),
    // Nothing is older than the oldest post: search engines should not index an empty page.
    ...(client.getQueryData(olderPostsQuery(params).queryKey)?.length === 0 && { isIndexable: false }),
  }),
}
