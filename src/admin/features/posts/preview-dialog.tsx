import { operatorPosts } from '#contract/operator/posts.ts'
import { Cover } from '#ui/cover.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { postsCopy as copy } from '#admin/features/posts/posts.copy.ts'
import { momentText } from '#admin/kit/format.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { read } from '#admin/query.ts'

type Props = { postId: string; revision?: number; onClose: () => void }

/** The post as a player reads it: what was just written, or an old state. */
export function PreviewDialog({ postId, revision, onClose }: Props) {
  const input = {
    params: { id: postId },
    query: revision === undefined ? {} : { revision: String(revision) },
  }
  const query = { ...read(operatorPosts.preview, input), gcTime: 0, staleTime: 0 }
  return (
    <Dialog title={revision === undefined ? copy.preview : copy.previewOld(revision)} onClose={onClose}>
      {revision === undefined && <p className="mb-4 text-sm text-soft">{copy.previewNote}</p>}
      <Loaded query={query}>
        {(post) => (
          <article>
            <h1 className="mb-3 text-2xl">{post.title}</h1>
            <p className="text-sm text-soft">
              {post.author} · {momentText(post.created_at)}
            </p>
            {post.cover && (
              <Cover cover={post.cover} sizes="94vw" isFirst className="mt-5 rounded-xl shadow-card" />
            )}
            {/* Made safe by the server, as for players. */}
            <div className="rich-text mt-6" dangerouslySetInnerHTML={{ __html: post.content }} />
          </article>
        )}
      </Loaded>
    </Dialog>
  )
}
