import { useState } from 'react'
import { OTP_LENGTH } from '#contract/constants.ts'
import { updateEmail } from '#contract/contacts.ts'
import type { User } from '#contract/users.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Field } from '#ui/field.tsx'
import { securityCopy as copy } from '#web/features/accounts/security.copy.ts'
import { Step } from '#web/features/accounts/step.tsx'
import { Form } from '#client/forms/form.tsx'
import { useSendForm } from '#web/parts/forms/use-send-form.ts'
import { EmailOtp } from '#web/parts/one-time-codes/email-otp.tsx'
import { problemOfEmail } from '#web/parts/one-time-codes/otp-text.ts'
import { ProvePhone } from '#web/parts/one-time-codes/prove-phone.tsx'
import { refreshUser } from '#web/session/session-store.ts'

type Props = { user: User; onClose: () => void }

/**
 * A new address takes two proofs: of a verified contact of the account, the present address or else the phone,
 * and of the new address.
 */
export function ChangeEmail({ user, onClose }: Props) {
  const { form, proof, round } = useEmailChange({ user, onClose })
  const own = user.email ?? ''
  return (
    <Dialog title={user.email === null ? copy.addEmail : copy.changeEmail} onClose={onClose}>
      <Form form={form} className="space-y-6">
        {proof === 'email' && (
          <Step title={copy.proveEmail} lead={copy.proveEmailLead(own)}>
            <EmailOtp {...form.code('otp')} isOwn email={own} />
          </Step>
        )}
        {proof === 'phone' && (
          <Step title={copy.provePhone} lead={copy.provePhoneLead(user.phone ?? '')}>
            <ProvePhone
              key={round}
              isFirst
              mask={user.phone}
              onProof={(phoneProof) => form.set('otp', phoneProof?.code ?? '')}
            />
          </Step>
        )}
        {(proof === 'none' || form.values.otp.length === OTP_LENGTH) && (
          <Step
            title={proof === 'none' ? copy.newEmailOnly : copy.newEmailStep}
            lead={proof === 'none' ? undefined : copy.newEmailLead}
          >
            <Field
              {...form.field('newEmail')}
              label={copy.newEmail}
              type="email"
              autoComplete="email"
              autoFocus
              data-autofocus
            />
            <EmailOtp {...form.code('newEmailOtp')} email={form.values.newEmail.trim()} />
            <div className="modal-acts">
              <Button type="submit" isBusy={form.isSending} className="w-full">
                {copy.saveEmail}
              </Button>
            </div>
          </Step>
        )}
      </Form>
    </Dialog>
  )
}

function useEmailChange({ user, onClose }: Props) {
  const proof = proofFor(user)
  /** Counts refused proofs of the phone: each new one starts with an empty code. */
  const [round, setRound] = useState(0)
  const form = useSendForm(updateEmail, {
    start: { otp: '', newEmail: '', newEmailOtp: '' },
    draft: { key: `email of ${user.id}`, names: ['newEmail'] },
    check: ({ newEmail }) => ({ newEmail: problemOfEmail(newEmail) }),
    toBody: (typed) => ({ ...typed, otp: proof === 'none' ? null : typed.otp }),
    onDone: () => {
      onClose()
      void refreshUser()
    },
    onRefused: (_code, { errors, set }) => {
      if (proof !== 'phone' || !errors.otp) return
      set('otp', '')
      setRound(round + 1)
    },
  })
  return { form, proof, round }
}

/** The verified contact that must be proved again. */
function proofFor({ email_verified, phone_verified }: User): 'email' | 'phone' | 'none' {
  if (email_verified) return 'email'
  return phone_verified ? 'phone' : 'none'
}
