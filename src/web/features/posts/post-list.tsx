import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Link } from '#web/navigation.tsx'
import { paths } from '#contract/pages.ts'
import type { PostSummary } from '#contract/posts.ts'
import { buttonClass } from '#ui/button.tsx'
import { postsCopy as copy } from '#web/features/posts/posts.copy.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { Cover } from '#ui/cover.tsx'
import { formatDay, formatMoment, formatNumber } from '#contract/format.ts'
import { Icon } from '#ui/icon.tsx'

/** As many pictures as a first screen may show; on a phone a lead takes the place of all. */
const NEAR_COUNT = 4

function farOf(place: number, isAfterLead: boolean): Far | undefined {
  if (place >= NEAR_COUNT) return 'everywhere'
  return isAfterLead ? 'on-phones' : undefined
}

type ListProps = {
  /** One more than is shown, when there are more. */
  posts: readonly PostSummary[]
  shownMax: number
  categoryId?: string | undefined
  hasLead?: boolean
}

/** Posts as cards and, when the answer held more than is shown, the link to older ones. */
export function PostList({ posts, shownMax, categoryId, hasLead = false }: ListProps) {
  const shown = posts.slice(0, shownMax)
  const last = posts.length > shownMax ? shown.at(-1) : undefined
  return (
    <>
      <ul className={postGridClass}>
        {shown.map((post, place) =>
          hasLead && place === 0 ? (
            <LeadPost key={post.id} post={post} />
          ) : (
            <PostCard key={post.id} post={post} far={farOf(place, hasLead)} />
          ),
        )}
      </ul>
      {last && (
        <p className="mt-6 text-center">
          <Link
            to={
              categoryId === undefined
                ? paths.olderPosts(last.id)
                : paths.olderInCategory(categoryId, last.id)
            }
            className={buttonClass('plain')}
          >
            {copy.older}
          </Link>
        </p>
      )}
    </>
  )
}

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
      <div className="flex min-w-0 flex-1 flex-col gap-1.5 max-sm:basis-24 sm:p-4">
        <CardTitle
          post={post}
          className="line-clamp-3 text-base max-[19.99rem]:line-clamp-none sm:line-clamp-2"
        />
        <p className="line-clamp-2 text-sm text-soft max-sm:hidden">{post.excerpt}</p>
        <div className="mt-auto">
          <PostMeta created_at={post.created_at} views={post.views} isNarrow />
        </div>
      </div>
    </li>
  )
}

/** The link covers the whole card. */
const CardTitle = ({ post, className }: { post: PostSummary; className: string }) => (
  <h3 className={className}>
    <Link to={paths.post(post.id)} className="after:absolute after:inset-0 group-hover:text-vermilion">
      {post.title}
    </Link>
  </h3>
)

/** The first post of the home page, larger than the rest: as wide as a phone, four fields of the grid elsewhere. */
function LeadPost({ post }: { post: PostSummary }) {
  return (
    <li className="group relative flex flex-col overflow-hidden rounded-xl border border-line bg-raised shadow-card sm:col-span-2 lg:row-span-2">
      <div className="relative">
        <Cover cover={post.cover} sizes="(min-width: 64rem) 740px, 94vw" />
        {post.new && <NewSeal />}
      </div>
      <div className="flex flex-1 flex-col gap-3 p-4 md:p-6">
        <CardTitle post={post} className="text-xl md:text-2xl" />
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
  'group relative flex gap-3 rounded-xl border border-line bg-raised p-2.5 shadow-card max-sm:flex-wrap sm:flex-col sm:gap-0 sm:overflow-hidden sm:p-0'

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

/** How far from the screen a picture is fetched; browsers themselves fetch lazy ones several screens ahead. */
const NEAR = '150px 0px'

/** Where a picture is below the first screen: on phones, or everywhere. */
type Far = 'on-phones' | 'everywhere'

type PictureProps = { far: Far; className?: string; children: ReactNode }

/** A picture of 16:9 that is fetched when its place is nearly on the screen; without scripts as any lazy picture. */
export function LatePicture({ far, className = '', children }: PictureProps) {
  const [isNear, setNear] = useState(false)
  const place = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (isNear || !place.current) return
    const watch = new IntersectionObserver((entries) => setNear(entries.some((one) => one.isIntersecting)), {
      rootMargin: NEAR,
    })
    watch.observe(place.current)
    return () => watch.disconnect()
  }, [isNear])

  return (
    <div ref={place} data-far={isNear ? undefined : far} className={`late-picture bg-sunken ${className}`}>
      {children}
    </div>
  )
}

type MetaProps = { created_at: string; views: number; author?: string; isNarrow?: boolean }

/** When a post was written and how often it was read, if at all; with its author also the time of day. `isNarrow` hides the word beside the eye on phones. */
export function PostMeta({ created_at, views, author, isNarrow = false }: MetaProps) {
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-soft">
      {author && <strong className="text-vermilion">{author}</strong>}
      <span className="flex items-center gap-1.5">
        <Icon name="calendar" className="size-4" />
        <time dateTime={created_at}>{author ? formatMoment(created_at) : formatDay(created_at)}</time>
      </span>
      {views > 0 && (
        <span className="flex items-center gap-1.5">
          <Icon name="eye" className="size-4" />
          {formatNumber(views)} <span className={isNarrow ? 'max-sm:sr-only' : undefined}>{copy.views}</span>
        </span>
      )}
    </p>
  )
}
