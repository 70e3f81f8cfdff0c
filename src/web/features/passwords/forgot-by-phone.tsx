import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { loginUsername } from '#contract/fields.ts'
import { resetPasswordViaPhone } from '#contract/passwords.ts'
import { Field } from '#ui/field.tsx'
import { browserCall } from '#web/browser-call.ts'
import { NewPasswordForm, type NewPassword } from '#web/features/passwords/new-password-form.tsx'
import { passwordsCopy as copy } from '#web/features/passwords/passwords.copy.ts'
import { codeOf, useReset } from '#web/features/passwords/use-reset.ts'
import { ProvePhone } from '#web/parts/one-time-codes/prove-phone.tsx'
import type { PhoneProof } from '#web/parts/one-time-codes/use-phone-proof.ts'

type Props = { username: string; onUsername: (username: string) => void; next: unknown }

const nameForm = z.object({ username: loginUsername })

/** First the phone is confirmed; then the fields for the new password appear. */
export function ForgotByPhone({ username, onUsername, next }: Props) {
  const { register, trigger, getValues, formState } = useForm({
    mode: 'onTouched',
    resolver: standardSchemaResolver(nameForm),
    defaultValues: { username },
  })
  const [proof, setProof] = useState<PhoneProof | null>(null)
  /** Counts the proofs that came to nothing: each begins with an empty code. */
  const [round, setRound] = useState(0)
  const { reset, isFactorAsked } = useReset(next)

  async function submit(typed: NewPassword) {
    if (!proof || !(await trigger('username', { shouldFocus: true }))) return
    const body = { username: getValues('username'), ...proof, ...typed }
    await reset(
      () => browserCall(resetPasswordViaPhone, { body }),
      (error) => {
        // The code was not this account's, or has grown too old: only another one helps. Once the second factor was
        // asked for, it is that one's code.
        if (codeOf(error) === 'OTP_INVALID' && !isFactorAsked) {
          setProof(null)
          setRound(round + 1)
        }
        return false
      },
    )
  }

  return (
    <div className="space-y-4">
      <p className="text-[0.9375rem] text-soft">{copy.phoneLead}</p>
      <Field
        {...register('username', { onChange: ({ target }) => onUsername(target.value) })}
        label={copy.username}
        error={formState.errors.username?.message}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <ProvePhone key={round} onProof={setProof} />
      {proof && <NewPasswordForm isFactorAsked={isFactorAsked} onPassword={submit} />}
    </div>
  )
}
