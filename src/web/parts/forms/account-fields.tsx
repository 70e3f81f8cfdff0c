import type { ComponentProps } from 'react'
import { oneForm, PASSWORDS_DIFFER, required } from '#contract/fields.ts'
import { type GameLimits, passwordLimitFault } from '#contract/game/limits.ts'
import { Field } from '#ui/field.tsx'
import { passwordHint } from '#web/parts/forms/game-limits.ts'
import { type ModalName, switchModal } from '#web/parts/modals/modal-store.ts'
import { Button } from '#ui/button.tsx'

const copy = {
  username: 'Tên đăng nhập',
  newPassword: 'Mật khẩu mới',
  again: (label: string) => `Nhập lại ${label.toLowerCase()}`,
} as const

type UsernameProps = Omit<ComponentProps<typeof Field>, 'label'> & { onUsername?: (username: string) => void }

export const UsernameField = ({ onUsername, onChange, ...field }: UsernameProps) => (
  <Field
    {...field}
    label={copy.username}
    autoComplete="username"
    autoCapitalize="none"
    spellCheck={false}
    onChange={(event) => {
      onChange?.(event)
      onUsername?.(event.target.value)
    }}
  />
)

type SwitchProps = { question: string; to: ModalName; label: string; className?: string }

/** A question below a form, and the button to the modal that answers it. */
export const SwitchModal = ({ question, to, label, className = '' }: SwitchProps) => (
  <p className={`flex flex-wrap items-center justify-center text-[0.9375rem] ${className}`}>
    {question}
    <Button kind="text" className="px-2" onClick={() => switchModal(to)}>
      {label}
    </Button>
  </p>
)

/** The button at the foot of a form in a dialog. */
export const SubmitRow = (button: ComponentProps<typeof Button>) => (
  <div className="modal-acts">
    <Button {...button} type="submit" className="w-full" />
  </div>
)

type Name = 'password' | 'confirm_password'

type Props = {
  form: {
    field: (name: Name) => Pick<ComponentProps<typeof Field>, 'value' | 'error' | 'onChange' | 'onBlur'>
  }
  label?: string
  limits: GameLimits
  hint?: string
  isFirst?: true
}

/** A new password, typed twice. */
export function NewPasswordFields({
  form,
  limits,
  label = copy.newPassword,
  hint = passwordHint(limits),
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

/** What the game takes as a password; the repeated one never leaves the browser. */
export const checkNewPassword =
  (limits: GameLimits) =>
  ({ password, confirm_password }: Record<Name, string>) => {
    const fault = passwordLimitFault(limits, password)
    const isSame = oneForm(password) === oneForm(confirm_password)
    return {
      ...(fault !== null && { password: fault }),
      ...(confirm_password === ''
        ? { confirm_password: required }
        : !isSame && { confirm_password: PASSWORDS_DIFFER }),
    }
  }
