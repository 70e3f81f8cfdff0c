import { Link } from 'react-router'
import { paths } from '#contract/pages.ts'
import type { PostSummary } from '#contract/posts.ts'
import { buttonClass } from '#ui/button.tsx'
import { postsCopy as copy } from '#web/features/posts/posts.copy.ts'

type Props = { posts: readonly PostSummary[] | undefined; shownMax: number; categoryId?: string | undefined }

/** The way from a full list to what is older than its last post. */
export function OlderPosts({ posts = [], shownMax, categoryId }: Props) {
  const last = posts.at(-1)
  if (!last || posts.length < shownMax) return null
  return (
    <p className="mt-6 text-center">
      <Link
        to={categoryId === undefined ? paths.olderPosts(last.id) : paths.olderInCategory(categoryId, last.id)}
        className={buttonClass('plain')}
      >
        {copy.older}
      </Link>
    </p>
  )
}
