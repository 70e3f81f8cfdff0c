import { useEffect, useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { enterDialog } from './open-dialogs.ts'

const CLOSE = 'Đóng'

type Props = {
  title: string
  role?: 'alertdialog'
  /** Set while the dialog fades out; it is gone when its owner unmounts it. */
  isLeaving?: boolean
  onClose: () => void
  children: ReactNode
}

/**
 * The browser's own modal dialog: it traps the focus, makes the rest of the page inert, and closes by Escape.
 * Whatever carries `data-autofocus` gets the focus first.
 */
export function Dialog({ title, role, isLeaving, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  const isGone = useRef(false)

  // A layout effect: the dialog must be closed while it is still in the document, or the focus does not return.
  useLayoutEffect(() => {
    const element = dialog.current
    if (!element) return
    isGone.current = false
    element.showModal()
    element.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => {
      isGone.current = true
      element.close()
    }
  }, [])

  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useLayoutEffect(() => (isLeaving ? undefined : enterDialog({ close: () => close.current() })), [isLeaving])

  return (
    <dialog
      ref={dialog}
      role={role}
      aria-modal="true"
      aria-labelledby={titleId}
      className="modal"
      data-leaving={isLeaving ? '' : undefined}
      onCancel={(event) => {
        // Its owner closes it, so that it fades out; the browser would close it at once.
        event.preventDefault()
        onClose()
      }}
      // A browser may close it all the same (a second Escape): its owner must know, and may leave it open.
      onClose={() => {
        if (isGone.current || dialog.current?.open) return
        dialog.current?.showModal()
        onClose()
      }}
    >
      <div className="modal-head">
        <h2 id={titleId} className="text-lg">
          {title}
        </h2>
        <button
          type="button"
          aria-label={CLOSE}
          className="grid size-11 place-items-center rounded-lg text-soft hover:bg-sunken hover:text-ink"
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
      </div>
      <div className="p-5">{children}</div>
    </dialog>
  )
}
