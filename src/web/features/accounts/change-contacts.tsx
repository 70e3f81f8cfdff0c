import { useState } from 'react'
import { type User } from '#contract/users.ts'
import { updateEmail, updatePhone, verifyEmail } from '#contract/accounts/one-time-codes.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { securityCopy as copy } from '#web/features/accounts/security.copy.ts'
import { Form } from '#client/forms/form.tsx'
import { useSendForm, useSend } from '#web/parts/forms/use-send.ts'
import { refreshUser } from '#web/session/session-store.ts'
import { EmailOtp } from '#web/parts/one-time-codes/email-otp.tsx'
import { OTP_LENGTH } from '#contract/constants.ts'
import { Field } from '#ui/field.tsx'
import { Step } from '#web/features/accounts/profile-parts.tsx'
import { SubmitRow } from '#web/parts/forms/account-fields.tsx'
import { problemOfEmail } from '#web/parts/one-time-codes/otp-text.ts'
import { ProvePhone, type PhoneProof } from '#web/parts/one-time-codes/prove-phone.tsx'
import { CallError } from '#client/call.ts'
import { reportFailure } from '#web/parts/outcomes/report-outcome.ts'

type VerifyProps = { email: string; onClose: () => void }

export function VerifyEmail({ email, onClose }: VerifyProps) {
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

/** `hint` came over from the game, unproved; empty where nothing did. */
type ChangeProps = { user: User; hint: string; onClose: () => void }

/**
 * A new address takes two proofs: of a verified contact of the account, the present address or else the phone,
 * and of the new address.
 */
export function ChangeEmail({ user, hint, onClose }: ChangeProps) {
  const { form, proof, round } = useEmailChange({ user, hint, onClose })
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
            lead={proof === 'none' ? hint && copy.emailOfGame : copy.newEmailLead}
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
            <SubmitRow isBusy={form.isSending}>{copy.saveEmail}</SubmitRow>
          </Step>
        )}
      </Form>
    </Dialog>
  )
}

function useEmailChange({ user, hint, onClose }: ChangeProps) {
  const proof = proofFor(user)
  /** Counts refused proofs of the phone: each new one starts with an empty code. */
  const [round, setRound] = useState(0)
  const form = useSendForm(updateEmail, {
    start: { otp: '', newEmail: hint, newEmailOtp: '' },
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

/** Proves the account's phone, or sets another. A verified phone has to confirm the new one. */
export function ChangePhone({ user, hint, onClose }: ChangeProps) {
  const [hasOld, setOld] = useState(!user.phone_verified)
  const [proof, setProof] = useState<PhoneProof | null>(null)
  /** Counts the refusals, so that each step starts again with an empty code. */
  const [rounds, setRounds] = useState({ old: 0, new: 0 })
  const { send, isSending } = useSend(updatePhone, {
    onDone: () => {
      onClose()
      void refreshUser()
    },
    onFailed: (error) => {
      reportFailure(error)
      if (!(error instanceof CallError) || error.status !== 422) return
      const isOldCodeGone = error.body?.code === 'OTP_REQUIRED'
      setProof(null)
      if (isOldCodeGone) setOld(false)
      setRounds({ old: rounds.old + (isOldCodeGone ? 1 : 0), new: rounds.new + 1 })
    },
  })

  return (
    <Dialog title={user.phone_verified ? copy.phoneTitle : copy.verifyPhoneTitle} onClose={onClose}>
      <div className="space-y-6">
        {user.phone_verified && (
          <Step title={copy.oldPhoneStep} lead={copy.oldPhoneLead(user.phone ?? '')}>
            <ProvePhone
              key={rounds.old}
              isFirst
              label={copy.oldPhone}
              mask={user.phone}
              onProof={(old) => setOld(old !== null)}
            />
          </Step>
        )}
        {hasOld && (
          <Step
            title={user.phone_verified ? copy.newPhoneStep : undefined}
            lead={user.phone_verified ? copy.newPhoneLead : leadFor(user, hint)}
          >
            <ProvePhone
              key={rounds.new}
              isFirst={!user.phone_verified}
              start={hint}
              label={user.phone_verified ? copy.newPhone : copy.phone}
              onProof={setProof}
            />
          </Step>
        )}
        {hasOld && proof && (
          <div className="modal-acts">
            <Button
              isBusy={isSending}
              className="w-full"
              onClick={() => void send({ body: { code: proof.code, newPhone: proof.phone } })}
            >
              {copy.savePhone}
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  )
}

function leadFor({ phone }: User, hint: string): string {
  if (phone !== null) return copy.verifyPhoneLead(phone)
  return hint === '' ? copy.addPhoneLead : copy.phoneOfGame
}
