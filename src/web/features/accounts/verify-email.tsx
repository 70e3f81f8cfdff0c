import { useState, type FormEvent } from 'react'
import { verifyEmail } from '#contract/contacts.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { securityCopy as copy } from '#web/features/accounts/security.copy.ts'
import { refreshUser } from '#web/session/session-store.ts'
import { EmailOtp } from '#web/parts/one-time-codes/email-otp.tsx'
import { problemOfCode } from '#web/parts/one-time-codes/otp-text.ts'
import { useSend } from '#web/parts/sending/use-send.ts'

type Props = { email: string; onClose: () => void }

export function VerifyEmail({ email, onClose }: Props) {
  const [code, setCode] = useState('')
  const [isTried, setTried] = useState(false)
  const { send, isSending } = useSend(verifyEmail, {
    onDone: () => {
      onClose()
      void refreshUser()
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (problemOfCode(code) === undefined) void send({ body: { code } })
  }
  return (
    <Dialog title={copy.verifyEmailTitle} onClose={onClose}>
      <form noValidate className="space-y-4" onSubmit={submit}>
        <p className="text-[0.9375rem] text-soft">{copy.verifyEmailLead(email)}</p>
        <EmailOtp
          isOwn
          email={email}
          code={code}
          error={isTried ? problemOfCode(code) : undefined}
          onCode={setCode}
        />
        <Button type="submit" isBusy={isSending} className="w-full">
          {copy.verifyEmailTitle}
        </Button>
      </form>
    </Dialog>
  )
}
