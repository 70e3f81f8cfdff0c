import { useQuery } from '#web/use-query.ts'
import { useParams } from '#web/navigation.tsx'
import { CATEGORY_POST_COUNT } from '#contract/constants.ts'
import { PageState } from '#ui/page-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { isMissing } from '#client/call.ts'
import { LoadFailure, NotFound } from '#web/parts/fallbacks/fallbacks.tsx'
import { CategoryList, MainSection } from '#web/features/posts/sections.tsx'
import { NewsFilter } from '#web/features/posts/news-filter.tsx'
import { PostGridSkeleton, PostList } from '#web/features/posts/post-list.tsx'
import { categoriesQuery, categoryQuery } from '#web/features/posts/posts.api.ts'
import { postsCopy as copy } from '#web/features/posts/posts.copy.ts'
import type { Page } from '#web/page.ts'

const SKELETON_COUNT = 6

function CategoryPage() {
  const { id } = useParams()
  const { data: category, error, refetch } = useQuery(categoryQuery(id))
  if (isMissing(error)) return <NotFound />
  if (error && !category) return <LoadFailure onRetry={refetch} />
  return (
    <div className="shell-width pt-8">
      <div className="mb-6">
        {category ? (
          <>
            <h1 className="brush-title text-3xl">{category.title}</h1>
            <p className="mt-3 max-w-text text-soft">{category.description}</p>
          </>
        ) : (
          <Skeleton className="h-11 w-56" />
        )}
      </div>
      <NewsFilter />
      <h2 className="sr-only">{copy.posts}</h2>
      {!category && <PostGridSkeleton count={SKELETON_COUNT} />}
      {category?.posts.length === 0 && <PageState picture="empty" title={copy.noPosts} />}
      {category && <PostList posts={category.posts} shownMax={CATEGORY_POST_COUNT - 1} categoryId={id} />}
      <OtherCategories except={id} />
    </div>
  )
}

function OtherCategories({ except }: { except: string | undefined }) {
  const { data } = useQuery(categoriesQuery)
  const others = data?.filter(({ id }) => id !== except) ?? []
  if (others.length === 0) return null
  return (
    <MainSection title={copy.otherCategories}>
      <CategoryList categories={others} />
    </MainSection>
  )
}

export const page: Page = {
  Component: CategoryPage,
  queries: ({ id }) => [categoryQuery(id), categoriesQuery],
  head: ({ client, params }) => {
    const category = client.getQueryData(categoryQuery(params.id).queryKey)
    return category && { title: category.title, description: category.description }
  },
}
