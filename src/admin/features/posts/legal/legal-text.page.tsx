import { useState } from 'react'
import { useParams } from 'react-router'
import { consoleCall } from '#admin/console-call.ts'
import { DraftLine, useDraft } from '#admin/features/posts/draft.tsx'
import { Toolbar } from '#admin/features/posts/editor/toolbar.tsx'
import { usePostText, useTyped } from '#admin/features/posts/editor/use-post-text.ts'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { Dialog } from '#admin/kit/dialog.tsx'
import { momentText } from '#admin/kit/format.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { reportFailure } from '#admin/kit/use-send.ts'
import { read } from '#admin/query.ts'
import type { LegalKind } from '#contract/legal.ts'
import { operatorLegal, type OperatorLegalText } from '#contract/operator/legal.ts'
import { pages, paths } from '#contract/pages.ts'
import { Alert } from '#ui/alert.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { RichText } from '#ui/rich-text.tsx'
import { legalCopy as copy } from './legal.copy.ts'

export function Component() {
  const { kind = '' } = useParams()
  // Editing starts from a fresh read, never from the cache.
  const query = { ...read(operatorLegal.get, { params: { kind } }), gcTime: 0 }
  return (
    <Loaded key={kind} query={query}>
      {(text) => <LegalEditing stored={text} />}
    </Loaded>
  )
}

type Open = 'preview' | 'publish' | 'versions' | null

/** The editor of a legal text: the writer's draft, and publishing it as the next version. */
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
          {/* The editor's schema allows the elements of safe HTML only. */}
          <RichText html={html()} />
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
          text={copy.publishNote}
        />
      )}
    </ScreenFrame>
  )
}

/** The published versions of a text, each to be read where players read it. */
function VersionsDialog({ kind, onClose }: { kind: LegalKind; onClose: () => void }) {
  return (
    <Dialog title={copy.versions} onClose={onClose}>
      <Loaded query={read(operatorLegal.versions, { params: { kind } })}>
        {(versions) => (
          <ul className="divide-y divide-line">
            {versions.map(({ version, published_at, published_by }) => (
              <li key={version} className="py-2">
                <a
                  href={paths[kind](String(version))}
                  target="_blank"
                  rel="noreferrer"
                  className="inline-flex min-h-11 items-center font-bold"
                >
                  {copy.version(version)}
                </a>
                <span className="block text-sm text-soft">
                  {copy.publishedAt(momentText(published_at), published_by?.username)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Dialog>
  )
}

/** A legal text that is being rewritten. What is in force is `stored`, and may change by somebody else's publishing. */
function useLegalEditing(stored: OperatorLegalText) {
  const { kind } = stored
  const [resumed, setResumed] = useState(stored.draft)
  const [basedOn, setBasedOn] = useState(stored.draft?.based_on ?? stored.version)
  const text = usePostText(stored.draft?.content ?? stored.content)
  const draft = useDraft({
    save: () =>
      consoleCall(operatorLegal.saveDraft, {
        params: { kind },
        body: { content: text.html(), based_on: basedOn },
      }),
  })
  useTyped(text.editor, draft.changed)

  /** Continues from a version in force; other unsaved text is dropped. */
  function begin({ version, content }: OperatorLegalText): void {
    setResumed(null)
    setBasedOn(version)
    text.replace(content)
    void draft.settle()
  }

  async function dropDraft(): Promise<void> {
    await draft.settle()
    try {
      await consoleCall(operatorLegal.dropDraft, { params: { kind } })
      begin(await consoleCall(operatorLegal.get, { params: { kind } }))
    } catch (error) {
      reportFailure(error)
    }
  }

  return { text, draft, resumed, basedOn, begin, dropDraft }
}
