import { verifyEmail } from '#contract/contacts.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { securityCopy as copy } from '#web/features/accounts/security.copy.ts'
import { Form } from '#client/forms/form.tsx'
import { useSendForm } from '#web/parts/forms/use-send-form.ts'
import { refreshUser } from '#web/session/session-store.ts'
import { EmailOtp } from '#web/parts/one-time-codes/email-otp.tsx'

type Props = { email: string; onClose: () => void }

export function VerifyEmail({ email, onClose }: Props) {
  const form = useSendForm(verifyEmail, {
    start: { code: '' },
    onDone: () => {
      onClose()
      void refreshUser()
    },
  })
  return (
    <Dialog title={copy.verifyEmailTitle} onClose={onClose}>
      <Form form={form}>
        <p className="text-[0.9375rem] text-soft">{copy.verifyEmailLead(email)}</p>
        <EmailOtp {...form.code('code')} isOwn email={email} />
        <Button type="submit" isBusy={form.isSending} className="w-full">
          {copy.verifyEmailTitle}
        </Button>
      </Form>
    </Dialog>
  )
}
