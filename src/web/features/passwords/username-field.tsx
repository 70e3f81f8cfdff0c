import type { ChangeEvent, ComponentProps } from 'react'
import { Field } from '#ui/field.tsx'
import { passwordsCopy as copy } from '#web/features/passwords/passwords.copy.ts'

/** Typed once for both ways. */
export type SharedUsername = { username: string; onUsername: (username: string) => void }

type Props = Omit<ComponentProps<typeof Field>, 'label'> &
  Pick<SharedUsername, 'onUsername'> & { onChange: (event: ChangeEvent<HTMLInputElement>) => void }

export function UsernameField({ onUsername, onChange, ...rest }: Props) {
  return (
    <Field
      {...rest}
      label={copy.username}
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      onChange={(event) => {
        onChange(event)
        onUsername(event.target.value)
      }}
    />
  )
}
