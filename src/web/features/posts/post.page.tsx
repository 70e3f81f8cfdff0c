import { useEffect, useRef } from 'react'
import { useQuery } from '#web/use-query.ts'
import { Link, useParams, useNavigate } from '#web/navigation.tsx'
import type { Category, Post } from '#contract/posts.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { isMissing } from '#client/call.ts'
import { LoadFailure, NotFound } from '#web/parts/fallbacks/fallbacks.tsx'
import { Cover } from '#ui/cover.tsx'
import { RichText } from '#ui/rich-text.tsx'
import { PostCard, postGridClass, PostMeta } from '#web/features/posts/post-list.tsx'
import { categoriesQuery, otherPostsQuery, postQuery } from '#web/features/posts/posts.api.ts'
import { postsCopy as copy } from '#web/features/posts/posts.copy.ts'
import { MainSection } from '#web/features/posts/sections.tsx'
import type { Page } from '#web/page.ts'
import { paths } from '#contract/pages.ts'
import { postStructured, sharePicture } from '#web/features/posts/structured-posts.ts'
import { reportToPixel } from '#web/parts/pixel/pixel.ts'
import { readAgeClass } from '#web/parts/settings/settings.ts'
import { ShareRow } from '#web/parts/share/share-row.tsx'

const OTHERS_SHOWN = 3

function PostPage() {
  const { id } = useParams()
  const { data: post, error, refetch } = useQuery(postQuery(id))
  if (isMissing(error)) return <NotFound />
  if (error && !post) return <LoadFailure onRetry={refetch} />
  return (
    <div className="shell-width">
      {post ? <Article post={post} /> : <ArticleSkeleton />}
      <OtherPosts except={id} />
    </div>
  )
}

function Article({ post }: { post: Post }) {
  useEffect(() => reportToPixel('ViewContent', { content_type: 'post', content_ids: [post.id] }), [post.id])
  const { data: categories } = useQuery(categoriesQuery)
  return (
    <article className="mx-auto max-w-3xl pt-6">
      <CategoryTags categories={categories?.filter(({ id }) => post.category_ids.includes(id)) ?? []} />
      <h1 className="mt-1 mb-3 text-2xl md:text-4xl">{post.title}</h1>
      <PostMeta created_at={post.created_at} views={post.views} author={post.author} />
      {post.cover && (
        <Cover
          cover={post.cover}
          sizes="(min-width: 48rem) 768px, 94vw"
          isFirst
          className="mt-5 rounded-xl shadow-card"
        />
      )}
      <PostText html={post.content} />
      <div className="mt-8 border-t border-line pt-5">
        <p className="mb-3 font-bold">{copy.share}</p>
        <ShareRow to={paths.post(post.id)} title={post.title} />
      </div>
    </article>
  )
}

function CategoryTags({ categories }: { categories: readonly Category[] }) {
  return (
    <ul className="flex min-h-11 flex-wrap gap-x-5">
      {categories.map(({ id, title }) => (
        <li key={id}>
          <Link
            to={paths.category(id)}
            className="flex min-h-11 items-center text-sm font-bold text-vermilion underline-offset-4 hover:underline"
          >
            {title}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function OtherPosts({ except }: { except: string | undefined }) {
  const { data } = useQuery(otherPostsQuery)
  const others = data?.filter(({ id }) => id !== except).slice(0, OTHERS_SHOWN) ?? []
  if (others.length === 0) return null
  return (
    <MainSection title={copy.otherPosts}>
      <ul className={postGridClass}>
        {others.map((post) => (
          <PostCard key={post.id} post={post} far="everywhere" />
        ))}
      </ul>
    </MainSection>
  )
}

function ArticleSkeleton() {
  return (
    <div className="mx-auto max-w-3xl pt-6" aria-busy="true">
      <Skeleton className="mt-4 h-4 w-24" />
      <Skeleton className="mt-4 h-9 w-11/12" />
      <Skeleton className="mt-4 h-4 w-60 max-w-full" />
      <Skeleton className="mt-5 aspect-video w-full" />
      <Skeleton className="mt-6 h-4 w-full" />
      <Skeleton className="mt-3 h-4 w-full" />
      <Skeleton className="mt-3 h-4 w-2/3" />
    </div>
  )
}

export const page: Page = {
  Component: PostPage,
  queries: ({ id }) => [postQuery(id), categoriesQuery, otherPostsQuery],
  head: ({ client, params }) => {
    const post = client.getQueryData(postQuery(params.id).queryKey)
    if (!post) return undefined
    return {
      title: post.title,
      description: post.excerpt,
      image: sharePicture(post, readAgeClass(client)),
      kind: 'article',
      publishedAt: post.created_at,
      modifiedAt: post.updated_at,
    }
  },
  structured: import.meta.env.SSR && postStructured,
}

/** HTML written by the operators; the server has removed unsafe parts. Links within the site stay in the page. */
function PostText({ html }: { html: string }) {
  const navigate = useNavigate()
  const text = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = text.current
    const follow = (event: MouseEvent) => {
      const path = innerPath(event)
      if (path === null) return
      event.preventDefault()
      void navigate(path)
    }
    element?.addEventListener('click', follow)
    return () => element?.removeEventListener('click', follow)
  }, [navigate])

  return <RichText ref={text} html={html} className="mt-6" />
}

/** The path of a normally clicked link to another page of this site; null for everything the browser should do itself. */
function innerPath(event: MouseEvent): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || link.origin !== location.origin || (link.target !== '' && link.target !== '_self')) return null
  if (link.getAttribute('href')?.startsWith('#') || /\.\w+$/.test(link.pathname)) return null
  return link.pathname + link.search + link.hash
}
