import type { ComponentProps } from 'react'
import { PASSWORDS_DIFFER, required } from '#contract/fields.ts'
import { Field } from '#ui/field.tsx'
import { formsCopy as copy } from '#web/parts/forms/forms.copy.ts'

type Name = 'password' | 'confirm_password'

type Props = {
  form: {
    field: (name: Name) => Pick<ComponentProps<typeof Field>, 'value' | 'error' | 'onChange' | 'onBlur'>
  }
  label?: string
  hint?: string
  isFirst?: true
}

/** A new password, typed twice. */
export function NewPasswordFields({
  form,
  label = copy.newPassword,
  hint = copy.newPasswordHint,
  isFirst,
}: Props) {
  return (
    <>
      <Field
        {...form.field('password')}
        label={label}
        hint={hint}
        type="password"
        autoComplete="new-password"
        autoFocus={isFirst}
        data-autofocus={isFirst}
      />
      <Field
        {...form.field('confirm_password')}
        label={copy.again(label)}
        placeholder={copy.again(label)}
        type="password"
        autoComplete="new-password"
      />
    </>
  )
}

/** The repeated password never leaves the browser. */
export function checkRepeated({ password, confirm_password }: Record<Name, string>) {
  if (confirm_password === '') return { confirm_password: required }
  return password === confirm_password ? {} : { confirm_password: PASSWORDS_DIFFER }
}
