import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { postsCopy } from '#admin/features/posts/posts.copy.ts'
import type { DraftState } from '#admin/features/posts/use-draft.ts'
import type { Editing } from '#admin/features/posts/use-post-editing.ts'
import { momentText } from '#admin/kit/format.ts'

const copy = postsCopy.draft

const said = (state: DraftState) => (state.is === 'kept' ? copy.kept(momentText(state.at)) : copy[state.is])

/** Where what was written is: not kept, being kept, kept as a draft; and the way back to what is saved. */
export function DraftLine({ editing }: { editing: Editing }) {
  const { draft, resumed, base, theirs } = editing
  const [isAsking, setAsking] = useState(false)
  const isResumed = draft.state.is === 'clean' && resumed !== null
  const hasDraft = isResumed || draft.state.is === 'kept'
  return (
    <div className="flex flex-wrap items-center gap-3 text-sm text-soft">
      <span role="status">{isResumed ? copy.resumed(momentText(resumed.saved_at)) : said(draft.state)}</span>
      {hasDraft && theirs === null && (
        <Button kind="quiet" onClick={() => setAsking(true)}>
          {copy.drop}
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          title={copy.drop}
          confirmLabel={copy.drop}
          onConfirm={() => {
            setAsking(false)
            void editing.dropDraft(base)
          }}
          onClose={() => setAsking(false)}
        >
          <p>{copy.dropWarning}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
