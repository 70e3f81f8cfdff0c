import { Link } from '#web/navigation.tsx'
import type { PostSummary } from '#contract/posts.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { Cover } from '#ui/cover.tsx'
import { LatePicture, type Far } from '#web/features/posts/late-picture.tsx'
import { PostMeta } from '#web/features/posts/post-meta.tsx'
import { postsCopy as copy } from '#web/features/posts/posts.copy.ts'
import { paths } from '#contract/pages.ts'

type CardProps = {
  post: PostSummary
  /** Where it is below the first screen. */
  far?: Far | undefined
}

/** A post in a list: on a phone a row with a small picture, on a wide screen a card. The whole of it is the link. */
export function PostCard({ post, far }: CardProps) {
  const cover = <Cover cover={post.cover} sizes="(min-width: 64rem) 270px, (min-width: 40rem) 45vw, 112px" />
  return (
    <li className={cardClass}>
      <div className="relative w-28 shrink-0 overflow-hidden rounded-lg sm:w-full sm:rounded-none">
        {far ? <LatePicture far={far}>{cover}</LatePicture> : cover}
        {post.new && <NewSeal />}
      </div>
      <div className="flex min-w-0 flex-1 flex-col gap-1.5 sm:p-4">
        <h3 className="line-clamp-3 text-base sm:line-clamp-2">
          <Link to={paths.post(post.id)} className="after:absolute after:inset-0 group-hover:text-vermilion">
            {post.title}
          </Link>
        </h3>
        <p className="line-clamp-2 text-sm text-soft max-sm:hidden">{post.excerpt}</p>
        <div className="mt-auto">
          <PostMeta created_at={post.created_at} views={post.views} isNarrow />
        </div>
      </div>
    </li>
  )
}

/** The first post of the home page, larger than the rest: as wide as a phone, four fields of the grid elsewhere. */
export function LeadPost({ post }: { post: PostSummary }) {
  return (
    <li className="group relative flex flex-col overflow-hidden rounded-xl border border-line bg-raised shadow-card sm:col-span-2 lg:row-span-2">
      <div className="relative">
        <Cover cover={post.cover} sizes="(min-width: 64rem) 740px, 94vw" />
        {post.new && <NewSeal />}
      </div>
      <div className="flex flex-1 flex-col gap-3 p-4 md:p-6">
        <h3 className="text-xl md:text-2xl">
          <Link to={paths.post(post.id)} className="after:absolute after:inset-0 group-hover:text-vermilion">
            {post.title}
          </Link>
        </h3>
        <p className="line-clamp-3 text-soft md:text-lg lg:line-clamp-6">{post.excerpt}</p>
        <div className="mt-auto">
          <PostMeta created_at={post.created_at} views={post.views} />
        </div>
      </div>
    </li>
  )
}

function NewSeal() {
  return <span className="seal absolute top-2 left-2 px-2 py-1 text-xs sm:text-sm">{copy.isNew}</span>
}

const cardClass =
  'group relative flex gap-3 rounded-xl border border-line bg-raised p-2.5 shadow-card sm:flex-col sm:gap-0 sm:overflow-hidden sm:p-0'

export const postGridClass = 'grid gap-3 sm:grid-cols-2 sm:gap-5 lg:grid-cols-3'

export function PostGridSkeleton({ count }: { count: number }) {
  return (
    <ul className={postGridClass} aria-busy="true">
      {Array.from({ length: count }, (_, index) => (
        <li key={index} className={cardClass}>
          <Skeleton className="aspect-video w-28 sm:w-full" />
          <div className="flex min-w-0 flex-1 flex-col gap-2 sm:p-4">
            <Skeleton className="h-5 w-full" />
            <Skeleton className="h-4 w-2/3" />
          </div>
        </li>
      ))}
    </ul>
  )
}
