import { Dialog } from '#ui/dialog.tsx'
import { signOut } from '#admin/session/console-session.ts'
import { consoleCopy } from '#admin/shell/console.copy.ts'
import { OtpForm } from '#admin/shell/otp-form.tsx'

const copy = consoleCopy.locked

/** Covers the screen of a locked session: a code opens it, or one signs out. */
export function LockScreen() {
  const leave = () => void signOut()
  return (
    <Dialog title={copy.title}>
      <div className="space-y-4">
        <p>{copy.text}</p>
        <OtpForm submitLabel={copy.submit} backLabel={consoleCopy.signOut} onBack={leave} />
      </div>
    </Dialog>
  )
}
