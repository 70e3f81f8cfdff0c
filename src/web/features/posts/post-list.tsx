import { Link } from '#web/navigation.tsx'
import { paths } from '#contract/pages.ts'
import type { PostSummary } from '#contract/posts.ts'
import { buttonClass } from '#ui/button.tsx'
import type { Far } from '#web/features/posts/late-picture.tsx'
import { LeadPost, PostCard, postGridClass } from '#web/features/posts/post-card.tsx'
import { postsCopy as copy } from '#web/features/posts/posts.copy.ts'

/** As many pictures as a first screen may show; on a phone a lead takes the place of all. */
const NEAR_COUNT = 4

function farOf(place: number, isAfterLead: boolean): Far | undefined {
  if (place >= NEAR_COUNT) return 'everywhere'
  return isAfterLead ? 'on-phones' : undefined
}

type Props = {
  /** One more than is shown, when there are more. */
  posts: readonly PostSummary[]
  shownMax: number
  categoryId?: string | undefined
  hasLead?: boolean
}

/** Posts as cards and, when the answer held more than is shown, the link to older ones. */
export function PostList({ posts, shownMax, categoryId, hasLead = false }: Props) {
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
