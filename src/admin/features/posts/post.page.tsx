import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { RemoveDialog } from '#admin/kit/act-dialog.tsx'
import { momentText } from '#admin/kit/format.ts'
import { labels } from '#admin/kit/kit.copy.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'
import { type OperatorPost, type OperatorPostDraft, operatorPosts } from '#contract/operator/posts.ts'
import { Alert } from '#ui/alert.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { RichText } from '#ui/rich-text.tsx'
import { DraftLine } from './draft.tsx'
import { Toolbar } from './editor/toolbar.tsx'
import { PostFields } from './post-fields.tsx'
import { stateOf } from './post-values.ts'
import { postsCopy } from './posts.copy.ts'
import { PreviewDialog, RevisionsDialog } from './revisions-dialog.tsx'
import { type Editing, usePostEditing } from './use-post-editing.ts'

export function Component() {
  const { id = '' } = useParams()
  // Editing starts from a fresh read, never from the cache.
  const post = { ...read(operatorPosts.get, { params: { id } }), gcTime: 0 }
  const draft = { ...read(operatorPosts.draft, { params: { id } }), gcTime: 0 }
  return (
    <Loaded key={id} query={post}>
      {(stored) => (
        <Loaded query={draft}>{(own) => <PostEditing stored={stored} draft={own.draft} />}</Loaded>
      )}
    </Loaded>
  )
}

type Props = { stored: OperatorPost; draft: OperatorPostDraft | null }

export function PostEditing({ stored, draft }: Props) {
  const editing = usePostEditing(stored, draft)
  const { base, theirs } = editing
  const { editor, attach } = editing.text
  const [open, setOpen] = useState<'preview' | 'revisions' | 'remove' | null>(null)
  const close = () => setOpen(null)
  const navigate = useNavigate()

  /** The draft is saved first: the preview shows it, and a removed post must not get one later. */
  async function openSaved(dialog: 'preview' | 'remove') {
    await editing.draft.flush()
    setOpen(dialog)
  }

  const acts = (
    <>
      {stateOf(base) === 'shown' && (
        <a href={`/post/${base.id}`} target="_blank" rel="noreferrer" className={buttonClass('plain')}>
          {postsCopy.onSite}
        </a>
      )}
      <Button kind="plain" onClick={() => setOpen('revisions')}>
        {postsCopy.revisions}
      </Button>
      <Button kind="plain" onClick={() => void openSaved('preview')}>
        {postsCopy.preview}
      </Button>
      <Button isBusy={editing.isSaving} disabled={theirs !== null} onClick={() => void editing.save()}>
        {labels.save}
      </Button>
    </>
  )
  return (
    <ScreenFrame title={base.title} acts={acts}>
      <DraftLine
        state={editing.draft.state}
        resumedAt={editing.resumed?.saved_at ?? null}
        words={postsCopy.draft}
        onDrop={theirs === null ? () => editing.dropDraft(base) : undefined}
      />
      {theirs && <Conflict present={theirs} editing={editing} />}
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <section aria-label={postsCopy.text} className="post-text rounded-xl border border-line bg-raised">
          <Toolbar editor={editor} />
          <div ref={attach} />
        </section>
        <Panel title={postsCopy.details}>
          <PostFields editing={editing} />
          <Button kind="text" className="mt-4" onClick={() => void openSaved('remove')}>
            {postsCopy.remove}
          </Button>
        </Panel>
      </div>
      {open === 'preview' && <PreviewDialog postId={base.id} onClose={close} />}
      {open === 'revisions' && <RevisionsDialog editing={editing} onClose={close} />}
      {open === 'remove' && (
        <RemoveDialog
          title={postsCopy.remove}
          confirmLabel={postsCopy.remove}
          warning={postsCopy.removeWarning}
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

const copy = postsCopy.conflict

/** The version that somebody else has saved meanwhile, and the choice between the two. */
function Conflict({ present, editing }: { present: OperatorPost; editing: Editing }) {
  return (
    <Alert>
      <h2 className="text-lg">{copy.title}</h2>
      <p>{copy.about(momentText(present.updated_at))}</p>
      <details className="my-3">
        <summary className="min-h-11 font-bold">
          {copy.theirs}: {present.title}
        </summary>
        {/* Made safe by the server, as all HTML of posts. */}
        <RichText html={present.content} className="max-h-96 overflow-auto rounded-lg bg-raised p-4" />
      </details>
      <div className="flex flex-wrap gap-3">
        <Button kind="plain" onClick={() => void editing.dropDraft(present)}>
          {copy.takeTheirs}
        </Button>
        <Button isBusy={editing.isSaving} onClick={() => void editing.keepMine(present)}>
          {copy.keepMine}
        </Button>
      </div>
    </Alert>
  )
}
