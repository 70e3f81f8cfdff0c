import { useState } from 'react'
import { useNavigate } from 'react-router'
import { operatorPosts, type OperatorPost, type OperatorPostDraft } from '#contract/operator/posts.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { Toolbar } from '#admin/features/posts/editor/toolbar.tsx'
import { Conflict } from '#admin/features/posts/conflict.tsx'
import { DraftLine } from '#admin/features/posts/draft-line.tsx'
import { PostFields } from '#admin/features/posts/post-fields.tsx'
import { stateOf } from '#admin/features/posts/post-values.ts'
import { postsCopy as copy } from '#admin/features/posts/posts.copy.ts'
import { PreviewDialog } from '#admin/features/posts/preview-dialog.tsx'
import { RevisionsDialog } from '#admin/features/posts/revisions-dialog.tsx'
import { usePostEditing } from '#admin/features/posts/use-post-editing.ts'
import { RemoveDialog } from '#admin/kit/remove-dialog.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'

type Props = { stored: OperatorPost; draft: OperatorPostDraft | null }

export function PostEditing({ stored, draft }: Props) {
  const editing = usePostEditing(stored, draft)
  const { base, theirs } = editing
  const { editor, attach } = editing.text
  const [open, setOpen] = useState<'preview' | 'revisions' | 'remove' | null>(null)
  const close = () => setOpen(null)
  const navigate = useNavigate()

  /** What is being written is kept first: the preview shows it, and a removed post has no draft to keep. */
  async function openKept(dialog: 'preview' | 'remove') {
    await editing.draft.flush()
    setOpen(dialog)
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
      <Button kind="plain" onClick={() => void openKept('preview')}>
        {copy.preview}
      </Button>
      <Button isBusy={editing.isSaving} disabled={theirs !== null} onClick={() => void editing.save()}>
        {copy.save}
      </Button>
    </>
  )
  return (
    <ScreenFrame title={base.title} acts={acts}>
      <DraftLine
        state={editing.draft.state}
        resumedAt={editing.resumed?.saved_at ?? null}
        words={copy.draft}
        onDrop={theirs === null ? () => editing.dropDraft(base) : undefined}
      />
      {theirs && <Conflict present={theirs} editing={editing} />}
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <section aria-label={copy.text} className="post-text rounded-xl border border-line bg-raised">
          <Toolbar editor={editor} />
          <div ref={attach} />
        </section>
        <Panel title={copy.details}>
          <PostFields editing={editing} />
          <Button kind="quiet" className="mt-4" onClick={() => void openKept('remove')}>
            {copy.remove}
          </Button>
        </Panel>
      </div>
      {open === 'preview' && <PreviewDialog postId={base.id} onClose={close} />}
      {open === 'revisions' && <RevisionsDialog editing={editing} onClose={close} />}
      {open === 'remove' && (
        <RemoveDialog
          title={copy.remove}
          confirmLabel={copy.remove}
          warning={copy.removeWarning}
          removed={{ id: base.id, name: base.title }}
          endpoint={operatorPosts.remove}
          onDone={() => {
            void editing.draft.settle()
            void navigate('/posts')
          }}
          onClose={close}
        />
      )}
    </ScreenFrame>
  )
}
