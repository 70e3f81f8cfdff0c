import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
import { signOut, signOutHere } from '#admin/session/console-session.ts'
import { consoleCopy } from '#admin/shell/console.copy.ts'
import { OtpForm } from '#admin/shell/otp-form.tsx'
import { SignInForm } from '#admin/shell/sign-in-form.tsx'

const { locked, ended } = consoleCopy

/** Covers the screen of a locked session: a code opens it, or one signs out. */
export const LockScreen = () => (
  <Cover title={locked.title} text={locked.text}>
    <OtpForm submitLabel={locked.submit} backLabel={consoleCopy.signOut} onBack={() => void signOut()} />
  </Cover>
)

/** Covers the screen of a session that is over: its operator signs in again, or leaves. No code opens it. */
export const EndedScreen = ({ username }: { username: string }) => (
  <Cover title={ended.title} text={ended.text}>
    <SignInForm username={username} />
    <Button kind="plain" className="w-full" onClick={signOutHere}>
      {ended.leave}
    </Button>
  </Cover>
)

/** Escape does not close it. */
function Cover({ title, text, children }: { title: string; text: string; children: ReactNode }) {
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
          {title}
        </h2>
        <p>{text}</p>
        {children}
      </div>
    </dialog>
  )
}
