import type { ComponentProps } from 'react'
import { codeOrRecovery } from './code-text.ts'
import { Field } from '#ui/field.tsx'

/** A code of the second factor: six digits of the app, or a recovery code. */
export function SecondFactorField({ onChange, ...field }: ComponentProps<typeof Field>) {
  return (
    <Field
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      {...field}
      onChange={(event) => {
        event.target.value = codeOrRecovery(event.target.value)
        onChange?.(event)
      }}
    />
  )
}
