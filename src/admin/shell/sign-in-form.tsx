import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { SecondFactorField } from '#client/forms/second-factor-field.tsx'
import { Form } from '#client/forms/form.tsx'
import { operatorSession } from '#contract/operator/session.ts'
import { useSendForm } from '#admin/kit/use-send.ts'
import { signIn } from '#admin/session/console-session.ts'
import { consoleCopy } from '#admin/shell/console.copy.ts'

const copy = consoleCopy.signIn

type Props = {
  /** Set where the same operator has to sign in again. */
  username?: string
  /** The token of an invitation. */
  invite?: string | undefined
  onDone?: () => void | Promise<void>
}

/** Name, password and code, which open a session of the console. */
export function SignInForm({ username, invite, onDone }: Props) {
  const form = useSendForm(operatorSession.open, {
    start: { username: username ?? '', password: '', otp: '' },
    isRefusedInForm: true,
    call: async (_endpoint, { body }) => {
      const typed = body as { username: string; password: string; otp: string }
      await signIn({ ...typed, invite })
      await onDone?.()
      return { access_token: '' }
    },
    report: () => {},
  })
  const isKnown = username !== undefined
  return (
    <Form form={form}>
      <Field
        {...form.field('username')}
        label={copy.username}
        autoComplete="username"
        readOnly={isKnown}
        autoFocus={!isKnown}
      />
      <Field
        {...form.field('password')}
        data-autofocus={isKnown}
        type="password"
        label={copy.password}
        autoComplete="current-password"
      />
      <SecondFactorField {...form.field('otp')} label={copy.otp} hint={copy.otpHint} inputMode="numeric" />
      <Button type="submit" isBusy={form.isSending} className="w-full">
        {copy.submit}
      </Button>
    </Form>
  )
}
