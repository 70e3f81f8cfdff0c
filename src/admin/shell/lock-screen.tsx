import { useLayoutEffect, useRef } from 'react'
import { signOut } from '#admin/session/console-session.ts'
import { consoleCopy } from '#admin/shell/console.copy.ts'
import { OtpForm } from '#admin/shell/otp-form.tsx'

const copy = consoleCopy.locked

/** Covers the screen of a locked session: a code opens it, or one signs out. Escape does not close it. */
export function LockScreen() {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    element?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-modal="true"
      aria-labelledby="lock-title"
      className="modal"
      onCancel={(event) => event.preventDefault()}
      // A browser may close it all the same, at the second Escape.
      onClose={() => dialog.current?.showModal()}
    >
      <div className="space-y-4 p-5">
        <h2 id="lock-title" className="text-lg">
          {copy.title}
        </h2>
        <p>{copy.text}</p>
        <OtpForm submitLabel={copy.submit} backLabel={consoleCopy.signOut} onBack={() => void signOut()} />
      </div>
    </dialog>
  )
}
