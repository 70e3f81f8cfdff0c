import { useState } from 'react'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { Dialog } from '#admin/kit/dialog.tsx'
import { momentText } from '#admin/kit/format.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { read } from '#admin/query.ts'
import { type OperatorPostRevision, operatorPosts } from '#contract/operator/posts.ts'
import { Button } from '#ui/button.tsx'
import { Cover } from '#ui/cover.tsx'
import { RichText } from '#ui/rich-text.tsx'
import { postsCopy } from './posts.copy.ts'
import type { Editing } from './use-post-editing.ts'

const copy = postsCopy.revision

type Props = { editing: Editing; onClose: () => void }

/** The states in which a post was saved, each to be read and to be restored. */
export function RevisionsDialog({ editing, onClose }: Props) {
  const { base, begin } = editing
  const [shown, setShown] = useState<number | null>(null)
  const [restored, setRestored] = useState<number | null>(null)
  if (shown !== null)
    return <PreviewDialog postId={base.id} revision={shown} onClose={() => setShown(null)} />
  if (restored !== null) {
    return (
      <ActDialog
        title={copy.restoreTitle(restored)}
        submitLabel={copy.restore}
        endpoint={operatorPosts.restore}
        params={{ id: base.id, revision: String(restored) }}
        toBody={({ reason }) => ({ reason, updated_at: base.updated_at })}
        onDone={(post) => {
          begin(post, { isTextNew: true })
          onClose()
        }}
        onClose={() => setRestored(null)}
        text={copy.restoreNote}
      />
    )
  }
  return (
    <Dialog title={postsCopy.revisions} onClose={onClose}>
      <Loaded query={read(operatorPosts.revisions, { params: { id: base.id } })}>
        {(revisions) =>
          revisions.length === 0 ? (
            <p>{copy.none}</p>
          ) : (
            <ul className="divide-y divide-line">
              {revisions.map((one, index) => (
                <Revision
                  key={one.revision}
                  revision={one}
                  isNewest={index === 0}
                  onSee={setShown}
                  onRestore={setRestored}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  )
}

type RevisionProps = {
  revision: OperatorPostRevision
  isNewest: boolean
  onSee: (revision: number) => void
  onRestore: (revision: number) => void
}

function Revision({
  revision: { revision, title, saved_at, saved_by },
  isNewest,
  onSee,
  onRestore,
}: RevisionProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-2 py-2">
      <span className="min-w-0">
        <strong className="block">
          {revision}. {title}
        </strong>
        <span className="text-sm text-soft">
          {momentText(saved_at)} · {saved_by?.username ?? copy.before}
        </span>
      </span>
      <span className="flex gap-2">
        <Button kind="text" onClick={() => onSee(revision)}>
          {copy.see}
        </Button>
        {!isNewest && (
          <Button kind="plain" onClick={() => onRestore(revision)}>
            {copy.restore}
          </Button>
        )}
      </span>
    </li>
  )
}

type PreviewDialogProps = { postId: string; revision?: number; onClose: () => void }

/** The post as a player reads it: what was just written, or an old state. */
export function PreviewDialog({ postId, revision, onClose }: PreviewDialogProps) {
  const input = {
    params: { id: postId },
    query: revision === undefined ? {} : { revision: String(revision) },
  }
  const query = { ...read(operatorPosts.preview, input), gcTime: 0, staleTime: 0 }
  return (
    <Dialog
      title={revision === undefined ? postsCopy.preview : postsCopy.previewOld(revision)}
      onClose={onClose}
    >
      {revision === undefined && <p className="mb-4 text-sm text-soft">{postsCopy.previewNote}</p>}
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
            <RichText html={post.content} className="mt-6" />
          </article>
        )}
      </Loaded>
    </Dialog>
  )
}
