import { useState } from 'react'
import { resetPasswordViaPhone } from '#contract/passwords.ts'
import { passwordsCopy as copy } from '#web/features/passwords/passwords.copy.ts'
import { ResetFields } from '#web/features/passwords/reset-fields.tsx'
import { EMPTY, useReset } from '#web/features/passwords/use-reset.ts'
import { UsernameField, type SharedUsername } from '#web/features/passwords/username-field.tsx'
import { Form } from '#client/forms/form.tsx'
import { useSendForm } from '#web/parts/forms/use-send-form.ts'
import { ProvePhone } from '#web/parts/one-time-codes/prove-phone.tsx'
import type { PhoneProof } from '#web/parts/one-time-codes/use-phone-proof.ts'

type Props = SharedUsername & { next: unknown }

/** First the phone is confirmed; then the fields for the new password appear. */
export function ForgotByPhone({ username, onUsername, next }: Props) {
  const [proof, setProof] = useState<PhoneProof | null>(null)
  /** Counts the refused proofs: each new one starts with an empty code. */
  const [round, setRound] = useState(0)
  const { isFactorAsked, askFactor, common } = useReset(next)
  const form = useSendForm(resetPasswordViaPhone, {
    ...common,
    start: { username, ...EMPTY },
    toBody: (typed) => ({ phone: null, code: null, ...proof, ...typed }),
    onRefused: (code) => {
      // The code was not this account's, or has expired: another one is needed. Once the second factor was
      // asked for, the refusal is about its code.
      if (code === 'OTP_INVALID' && !isFactorAsked) {
        setProof(null)
        setRound(round + 1)
      }
      return askFactor(code)
    },
  })
  return (
    <Form form={form}>
      <p className="text-[0.9375rem] text-soft">{copy.phoneLead}</p>
      <UsernameField {...form.field('username')} onUsername={onUsername} />
      <ProvePhone key={round} onProof={setProof} />
      {proof && <ResetFields form={form} isFactorAsked={isFactorAsked} />}
    </Form>
  )
}
