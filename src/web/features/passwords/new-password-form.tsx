import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { resetForm } from '#contract/passwords.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { passwordsCopy as copy } from '#web/features/passwords/passwords.copy.ts'

export type NewPassword = { password: string; otp: string | null }

type Props = {
  /** The account has a second factor, which a reset does not pass by. */
  isFactorAsked: boolean
  onPassword: (typed: NewPassword) => Promise<void>
}

/** A new password, typed twice. It takes the focus: what came before it is done. */
export function NewPasswordForm({ isFactorAsked, onPassword }: Props) {
  const [otp, setOtp] = useState('')
  const { register, handleSubmit, formState } = useForm({
    mode: 'onTouched',
    resolver: standardSchemaResolver(resetForm),
    defaultValues: { password: '', confirm_password: '' },
  })
  const { errors, isSubmitting } = formState
  const submit = handleSubmit(({ password }) =>
    onPassword({ password, otp: isFactorAsked ? otp.trim() : null }),
  )
  return (
    <form noValidate className="space-y-4" onSubmit={(event) => void submit(event)}>
      <Field
        {...register('password')}
        label={copy.newPassword}
        hint={copy.newPasswordHint}
        error={errors.password?.message}
        type="password"
        autoComplete="new-password"
        autoFocus
        data-autofocus
      />
      <Field
        {...register('confirm_password')}
        label={copy.confirmPassword}
        placeholder={copy.confirmPasswordPlaceholder}
        error={errors.confirm_password?.message}
        type="password"
        autoComplete="new-password"
      />
      {isFactorAsked && (
        <Field
          label={copy.secondFactor}
          hint={copy.secondFactorHint}
          value={otp}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={32}
          autoFocus
          onChange={({ target }) => setOtp(target.value)}
        />
      )}
      <Button type="submit" isBusy={isSubmitting} className="w-full">
        {copy.set}
      </Button>
    </form>
  )
}
