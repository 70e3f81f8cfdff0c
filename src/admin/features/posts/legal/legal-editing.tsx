import { useState } from 'react'
import { operatorLegal, type OperatorLegalText } from '#contract/operator/legal.ts'
import { pages, paths } from '#contract/pages.ts'
import { Alert } from '#ui/alert.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { DraftLine } from '#admin/features/posts/draft-line.tsx'
import { Toolbar } from '#admin/features/posts/editor/toolbar.tsx'
import { legalCopy as copy } from '#admin/features/posts/legal/legal.copy.ts'
import { useLegalEditing } from '#admin/features/posts/legal/use-legal-editing.ts'
import { VersionsDialog } from '#admin/features/posts/legal/versions-dialog.tsx'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { ScreenFrame } from '#admin/kit/screen.tsx'

type Open = 'preview' | 'publish' | 'versions' | null

/** The editor of a legal text: a draft of the writer's own, and its publishing as the next version. */
export function LegalEditing({ stored }: { stored: OperatorLegalText }) {
  const { kind, version } = stored
  const editing = useLegalEditing(stored)
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const { editor, attach, html } = editing.text
  const acts = (
    <>
      <a href={paths[kind]()} target="_blank" rel="noreferrer" className={buttonClass('plain')}>
        {copy.onSite}
      </a>
      <Button kind="plain" onClick={() => setOpen('versions')}>
        {copy.versions}
      </Button>
      <Button kind="plain" onClick={() => setOpen('preview')}>
        {copy.preview}
      </Button>
      <Button onClick={() => void editing.draft.flush().then(() => setOpen('publish'))}>
        {copy.publish}
      </Button>
    </>
  )
  return (
    <ScreenFrame title={pages[kind].title} acts={acts}>
      {stored.published_by === null && <Alert tone="note">{copy.byDefault}</Alert>}
      {editing.basedOn < version && <Alert>{copy.behind(editing.basedOn, version)}</Alert>}
      <DraftLine
        state={editing.draft.state}
        resumedAt={editing.resumed?.saved_at ?? null}
        words={copy.draft}
        onDrop={editing.dropDraft}
      />
      <section aria-label={copy.text} className="post-text rounded-xl border border-line bg-raised">
        <Toolbar editor={editor} isTextOnly />
        <div ref={attach} />
      </section>
      {open === 'preview' && (
        <Dialog title={copy.preview} onClose={close}>
          <p className="mb-4 text-sm text-soft">{copy.previewNote}</p>
          <h1 className="mb-3 text-2xl">{pages[kind].title}</h1>
          {/* Of the editor's own schema, which knows the elements of safe HTML and no other. */}
          <div className="rich-text" dangerouslySetInnerHTML={{ __html: html() }} />
        </Dialog>
      )}
      {open === 'versions' && <VersionsDialog kind={kind} onClose={close} />}
      {open === 'publish' && (
        <ActDialog
          title={copy.publishTitle(version + 1)}
          submitLabel={copy.publish}
          endpoint={operatorLegal.publish}
          params={{ kind }}
          toBody={({ reason }) => ({ content: html(), version, reason })}
          onDone={editing.begin}
          onClose={close}
        >
          {() => <p>{copy.publishNote}</p>}
        </ActDialog>
      )}
    </ScreenFrame>
  )
}
