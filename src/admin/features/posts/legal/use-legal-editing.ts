import { useState } from 'react'
import { operatorLegal, type OperatorLegalText } from '#contract/operator/legal.ts'
import { usePostText, useTyped } from '#admin/features/posts/editor/use-post-text.ts'
import { useDraft } from '#admin/features/posts/use-draft.ts'
import { consoleCall } from '#admin/console-call.ts'
import { reportFailure } from '#admin/kit/outcome.ts'

/** A legal text that is being written anew. What is in force is `stored`, and may change by somebody else's publishing. */
export function useLegalEditing(stored: OperatorLegalText) {
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

  /** Goes on from a version in force; what was written besides is done with. */
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
