import { useState } from 'react'
import { consoleCall } from '#admin/console-call.ts'
import { showToast } from '#client/toasts.tsx'
import { reportFailure, useRefresh, useSend } from '#admin/kit/use-send.ts'
import { type OperatorPost, type OperatorPostDraft, operatorPosts } from '#contract/operator/posts.ts'
import { presentOf, useDraft } from './draft.tsx'
import { usePostText, useTyped } from './editor/use-post-text.ts'
import { draftBody, postBody, type PostValues, usualReason, valuesOf, type Written } from './post-values.ts'
import { postsCopy as copy } from './posts.copy.ts'

/** Why the writer saves: the usual reason until they give one of their own. */
function useReason(base: OperatorPost, values: PostValues) {
  const [own, give] = useState<string | null>(null)
  return { reason: own ?? usualReason(base, values), give }
}

const saveDraft = (id: string, written: Written) =>
  consoleCall(operatorPosts.saveDraft, { params: { id }, body: draftBody(written) })

/**
 * A post that is being edited. `base` is the state that the writer has loaded and works on; a change by somebody else is
 * shown as soon as it is known, and nothing is overwritten until the writer has chosen.
 */
export function usePostEditing(stored: OperatorPost, draft: OperatorPostDraft | null) {
  const refresh = useRefresh()
  const [base, setBase] = useState(stored)
  const [values, setValues] = useState(() => valuesOf(stored, draft))
  const why = useReason(base, values)
  const [resumed, setResumed] = useState(draft)
  const [theirs, setTheirs] = useState(draft !== null && draft.based_on !== stored.updated_at ? stored : null)
  const text = usePostText(draft?.content ?? stored.content)
  const own = useDraft<OperatorPost>({
    save: () => saveDraft(stored.id, { values, content: text.html(), updated_at: base.updated_at }),
    onConflict: setTheirs,
  })
  useTyped(text.editor, own.changed)
  const { send: save, isSending } = useSend(operatorPosts.update, {
    onDone: (post) => begin(post),
    onFailed: (error) => {
      const present = presentOf<OperatorPost>(error)
      if (present !== null) return setTheirs(present)
      // What could not be saved is still saved as a draft.
      own.changed()
      reportFailure(error)
    },
  })

  /** Continues from a saved state; other unsaved text is dropped. */
  function begin(post: OperatorPost, { isTextNew = false } = {}): void {
    setBase(post)
    setValues(valuesOf(post, null))
    why.give(null)
    setResumed(null)
    setTheirs(null)
    if (isTextNew) text.replace(post.content)
    void own.settle()
    refresh()
  }

  async function dropDraft(post: OperatorPost): Promise<void> {
    await own.settle()
    try {
      await consoleCall(operatorPosts.dropDraft, { params: { id: post.id } })
      begin(post, { isTextNew: true })
    } catch (error) {
      reportFailure(error)
    }
  }

  async function saveOver(updated_at: string): Promise<void> {
    if (values.show === 'scheduled' && values.showAt === '')
      return showToast(copy.showAtMissing, { isFailure: true })
    await own.settle()
    const body = postBody({ values, content: text.html(), updated_at }, why.reason)
    await save({ params: { id: base.id }, body })
  }

  return {
    base,
    values,
    why,
    text,
    resumed,
    theirs,
    isSaving: isSending,
    draft: own,
    begin,
    change(more: Partial<PostValues>) {
      setValues({ ...values, ...more })
      own.changed()
    },
    save: () => saveOver(base.updated_at),
    keepMine: (present: OperatorPost) => saveOver(present.updated_at),
    dropDraft,
  }
}

export type Editing = ReturnType<typeof usePostEditing>
