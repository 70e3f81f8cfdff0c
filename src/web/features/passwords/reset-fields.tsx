import type { ComponentProps } from 'react'
import { Button } from '#ui/button.tsx'
import type { Field } from '#ui/field.tsx'
import { SecondFactorField } from '#client/forms/second-factor-field.tsx'
import { passwordsCopy as copy } from '#web/features/passwords/passwords.copy.ts'
import { NewPasswordFields } from '#web/parts/forms/new-password-fields.tsx'

type Props = {
  form: {
    field: (
      name: 'password' | 'confirm_password' | 'otp',
    ) => Pick<ComponentProps<typeof Field>, 'value' | 'error' | 'onChange' | 'onBlur'>
    isSending: boolean
  }
  isFactorAsked: boolean
}

/** The new password takes the focus: the steps before it are done. */
export function ResetFields({ form, isFactorAsked }: Props) {
  return (
    <>
      <NewPasswordFields form={form} isFirst />
      {isFactorAsked && (
        <SecondFactorField
          {...form.field('otp')}
          label={copy.secondFactor}
          hint={copy.secondFactorHint}
          autoFocus
        />
      )}
      <div className="modal-acts">
        <Button type="submit" isBusy={form.isSending} className="w-full">
          {copy.set}
        </Button>
      </div>
    </>
  )
}
