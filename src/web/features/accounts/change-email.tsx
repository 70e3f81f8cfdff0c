import type { User } from '#contract/users.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Field } from '#ui/field.tsx'
import { securityCopy as copy } from '#web/features/accounts/security.copy.ts'
import { Step } from '#web/features/accounts/step.tsx'
import { useEmailChange } from '#web/features/accounts/use-email-change.ts'
import { EmailOtp } from '#web/parts/one-time-codes/email-otp.tsx'
import { ProvePhone } from '#web/parts/one-time-codes/prove-phone.tsx'

type Props = { user: User; onClose: () => void }

/**
 * Another address takes two proofs: of what the account already has proved, the present address or else the phone,
 * and of the new address.
 */
export function ChangeEmail({ user, onClose }: Props) {
  const change = useEmailChange({ user, onDone: onClose })
  const { proof, form, errors } = change
  const own = user.email ?? ''
  return (
    <Dialog title={user.email === null ? copy.addEmail : copy.changeEmail} onClose={onClose}>
      <form noValidate className="space-y-6" onSubmit={change.submit}>
        {proof === 'email' && (
          <Step title={copy.proveEmail} lead={copy.proveEmailLead(own)}>
            <EmailOtp
              isOwn
              email={own}
              code={form.otp}
              error={errors.otp}
              onCode={(otp) => change.edit({ otp })}
            />
          </Step>
        )}
        {proof === 'phone' && (
          <Step title={copy.provePhone} lead={copy.provePhoneLead(user.phone ?? '')}>
            <ProvePhone
              key={change.round}
              isFirst
              mask={user.phone}
              onProof={(phoneProof) => change.edit({ otp: phoneProof?.code ?? '' })}
            />
          </Step>
        )}
        {change.isProved && (
          <Step
            title={proof === 'none' ? copy.newEmailOnly : copy.newEmailStep}
            lead={proof === 'none' ? undefined : copy.newEmailLead}
          >
            <Field
              label={copy.newEmail}
              value={form.newEmail}
              error={errors.newEmail}
              type="email"
              autoComplete="email"
              autoFocus
              data-autofocus
              onChange={({ target }) => change.edit({ newEmail: target.value.trim() })}
            />
            <EmailOtp
              email={form.newEmail}
              code={form.newEmailOtp}
              error={errors.newEmailOtp}
              onCode={(newEmailOtp) => change.edit({ newEmailOtp })}
            />
            <Button type="submit" isBusy={change.isSending} className="w-full">
              {copy.saveEmail}
            </Button>
          </Step>
        )}
      </form>
    </Dialog>
  )
}
