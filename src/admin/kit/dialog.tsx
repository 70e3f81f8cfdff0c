import { type ComponentProps, useRef, useState } from 'react'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Dialog as PlainDialog } from '#ui/dialog.tsx'
import { kitCopy } from './kit.copy.ts'

type Props = Omit<ComponentProps<typeof PlainDialog>, 'isLeaving'> & {
  /** It cannot be closed now: something is being sent. */
  isBusy?: boolean
}

/**
 * Every dialog of the console. What has been filled in, which is marked by `data-unsent`, is not lost by Escape or the back
 * button: the operator is asked first.
 */
export function Dialog({ isBusy = false, onClose, children, ...rest }: Props) {
  const content = useRef<HTMLDivElement>(null)
  const questions = useRef(0)
  const [question, setQuestion] = useState<number | null>(null)
  const close = () => {
    if (isBusy) return
    if (!content.current?.querySelector('[data-unsent]')) return onClose()
    questions.current += 1
    setQuestion(questions.current)
  }
  return (
    <>
      <PlainDialog {...rest} onClose={close}>
        <div ref={content}>{children}</div>
      </PlainDialog>
      {question !== null && (
        <ConfirmDialog
          // Asked again, it lies above the dialog again: a browser may have closed both, and then this one is shown first.
          key={question}
          title={kitCopy.unsent.title}
          confirmLabel={kitCopy.unsent.drop}
          onConfirm={onClose}
          onClose={() => setQuestion(null)}
        >
          <p>{kitCopy.unsent.text}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
