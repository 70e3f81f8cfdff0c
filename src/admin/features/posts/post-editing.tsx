import { useState } from 'react'
import { useNavigate } from 'react-router'
import { operatorPosts, type OperatorPost, type OperatorPostDraft } from '#contract/operator/posts.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Toolbar } from '#admin/features/posts/editor/toolbar.tsx'
import { Conflict } from '#admin/features/posts/conflict.tsx'
import { DraftLine } from '#admin/features/posts/draft-line.tsx'
import { PostFields } from '#admin/features/posts/post-fields.tsx'
import { stateOf } from '#admin/features/posts/post-values.ts'
import { postsCopy as copy } from '#admin/features/posts/posts.copy.ts'
import { PreviewDialog } from '#admin/features/posts/preview-dialog.tsx'
import { RevisionsDialog } from '#admin/features/posts/revisions-dialog.tsx'
import { usePostEditing } from '#admin/features/posts/use-post-editing.ts'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { useRefresh, useSend } from '#admin/kit/use-send.ts'

type Props = { stored: OperatorPost; draft: OperatorPostDraft | null }

export function PostEditing({ stored, draft }: Props) {
  const editing = usePostEditing(stored, draft)
  const { base, theirs } = editing
  const { editor, attach } = editing.text
  const [open, setOpen] = useState<'preview' | 'revisions' | 'remove' | null>(null)
  const close = () => setOpen(null)

  async function preview() {
    await editing.draft.flush()
    setOpen('preview')
  }

  const acts = (
    <>
      {stateOf(base) === 'shown' && (
        <a href={`/post/${base.id}`} target="_blank" rel="noreferrer" className={buttonClass('plain')}>
          {copy.onSite}
        </a>
      )}
      <Button kind="plain" onClick={() => setOpen('revisions')}>
        {copy.revisions}
      </Button>
      <Button kind="plain" onClick={() => void preview()}>
        {copy.preview}
      </Button>
      <Button isBusy={editing.isSaving} disabled={theirs !== null} onClick={() => void editing.save()}>
        {copy.save}
      </Button>
    </>
  )
  return (
    <ScreenFrame title={base.title} acts={acts}>
      <DraftLine editing={editing} />
      {theirs && <Conflict present={theirs} editing={editing} />}
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <section aria-label={copy.text} className="post-text rounded-xl border border-line bg-raised">
          <Toolbar editor={editor} />
          <div ref={attach} />
        </section>
        <Panel title={copy.details}>
          <PostFields editing={editing} />
          <Button kind="quiet" className="mt-4" onClick={() => setOpen('remove')}>
            {copy.remove}
          </Button>
        </Panel>
      </div>
      {open === 'preview' && <PreviewDialog postId={base.id} onClose={close} />}
      {open === 'revisions' && <RevisionsDialog editing={editing} onClose={close} />}
      {open === 'remove' && <RemoveDialog editing={editing} onClose={close} />}
    </ScreenFrame>
  )
}

type RemoveProps = { editing: ReturnType<typeof usePostEditing>; onClose: () => void }

function RemoveDialog({ editing: { base, draft }, onClose }: RemoveProps) {
  const navigate = useNavigate()
  const refresh = useRefresh()
  const { send, isSending } = useSend(operatorPosts.remove, {
    onDone: () => {
      void navigate('/posts')
      refresh()
    },
  })
  async function remove() {
    await draft.settle()
    await send({ params: { id: base.id } })
  }
  return (
    <ConfirmDialog
      title={copy.remove}
      confirmLabel={copy.remove}
      isBusy={isSending}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <p>
        <strong>{base.title}</strong>
      </p>
      <p>{copy.removeWarning}</p>
    </ConfirmDialog>
  )
}
