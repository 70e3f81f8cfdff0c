import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import type { DraftState } from '#admin/features/posts/use-draft.ts'
import { momentText } from '#admin/kit/format.ts'

type Words = Record<Exclude<DraftState['is'], 'kept'> | 'drop' | 'dropWarning', string> &
  Record<'kept' | 'resumed', (time: string) => string>

type Props = {
  state: DraftState
  /** When the draft was kept that is being continued; null when there was none. */
  resumedAt: string | null
  words: Words
  /** Left out while the draft must not be dropped. */
  onDrop?: (() => Promise<void>) | undefined
}

/** Where what was written is: not kept, being kept, kept as a draft; and the way back to what is saved. */
export function DraftLine({ state, resumedAt, words, onDrop }: Props) {
  const [isAsking, setAsking] = useState(false)
  const isResumed = state.is === 'clean' && resumedAt !== null
  const said = state.is === 'kept' ? words.kept(momentText(state.at)) : words[state.is]
  return (
    <div className="flex flex-wrap items-center gap-3 text-sm text-soft">
      <span role="status">{isResumed ? words.resumed(momentText(resumedAt)) : said}</span>
      {(isResumed || state.is === 'kept') && onDrop && (
        <Button kind="quiet" onClick={() => setAsking(true)}>
          {words.drop}
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          title={words.drop}
          confirmLabel={words.drop}
          onConfirm={() => {
            setAsking(false)
            void onDrop?.()
          }}
          onClose={() => setAsking(false)}
        >
          <p>{words.dropWarning}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
