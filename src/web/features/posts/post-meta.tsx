import { formatDay, formatMoment, formatNumber } from '#contract/format.ts'
import { Icon } from '#ui/icon.tsx'
import { postsCopy as copy } from '#web/features/posts/posts.copy.ts'

type Props = { created_at: string; views: number; author?: string; isNarrow?: boolean }

/** When a post was written and how often it was read, if at all; with its author also the time of day. `isNarrow` hides the word beside the eye on phones. */
export function PostMeta({ created_at, views, author, isNarrow = false }: Props) {
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
