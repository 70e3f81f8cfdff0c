import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { Form } from '#client/forms/form.tsx'
import { operatorSession } from '#contract/operator/session.ts'
import { useDocumentTitle } from '#admin/kit/document-title.ts'
import { useSendForm } from '#admin/kit/use-send-form.ts'
import { signIn } from '#admin/session/console-session.ts'
import { consoleCopy } from '#admin/shell/console.copy.ts'

const copy = consoleCopy.signIn

/** The token of an invitation, when its link was opened: it stands behind `#`, which no server sees. */
const invitation = (): string | undefined =>
  location.pathname === '/admin/invite' && location.hash.length > 1 ? location.hash.slice(1) : undefined

export function SignIn() {
  const [invite] = useState(invitation)
  const title = invite === undefined ? copy.title : consoleCopy.invited.title
  const navigate = useNavigate()
  useDocumentTitle(title)
  const form = useSendForm(operatorSession.open, {
    start: { username: '', password: '', otp: '' },
    isRefusedInForm: true,
    call: async (_endpoint, { body }) => {
      const typed = body as { username: string; password: string; otp: string }
      await signIn({ ...typed, invite })
      if (invite !== undefined) await navigate('/', { replace: true })
      return { access_token: '' }
    },
  })
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-6 px-4 py-8">
      <h1 className="brush-title text-2xl">{title}</h1>
      <Form form={form}>
        <Field {...form.field('username')} label={copy.username} autoComplete="username" autoFocus />
        <Field
          {...form.field('password')}
          type="password"
          label={copy.password}
          autoComplete="current-password"
        />
        <Field
          {...form.field('otp')}
          label={copy.otp}
          hint={copy.otpHint}
          inputMode="numeric"
          autoComplete="one-time-code"
        />
        <Button type="submit" isBusy={form.isSending} className="w-full">
          {copy.submit}
        </Button>
      </Form>
      <p className="text-sm text-soft">{invite === undefined ? copy.note : consoleCopy.invited.note}</p>
    </main>
  )
}
