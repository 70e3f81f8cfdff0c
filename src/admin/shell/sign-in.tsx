import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { Dialog } from '#admin/kit/dialog.tsx'
import { useDocumentTitle } from '#admin/kit/screen.tsx'
import { useSendForm } from '#admin/kit/use-send.ts'
import { signIn, signOut, signOutHere, stepUp, useStepUpQuestion } from '#admin/session/console-session.ts'
import { Form } from '#client/forms/form.tsx'
import { SecondFactorField } from '#client/forms/second-factor-field.tsx'
import { operatorSession, stepUpCall } from '#contract/operator/session.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { enterDialog } from '#ui/open-dialogs.ts'
import { consoleCopy } from './console.copy.ts'

const copy = consoleCopy.signIn

/** The token of an invitation, when its link was opened: it comes after `#`, which is not sent to servers. */
const invitation = (): string | undefined =>
  location.pathname === '/admin/invite' && location.hash.length > 1 ? location.hash.slice(1) : undefined

/** `wasEnded`: the stored session is over. */
export function SignIn({ wasEnded }: { wasEnded: boolean }) {
  const [invite] = useState(invitation)
  const title = invite === undefined ? copy.title : consoleCopy.invited.title
  const navigate = useNavigate()
  useDocumentTitle(title)
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-6 px-4 py-8">
      <h1 className="brush-title text-2xl">{title}</h1>
      {wasEnded && <Alert tone="note">{consoleCopy.ended.loaded}</Alert>}
      <SignInForm
        invite={invite}
        onDone={async () => {
          if (invite !== undefined) await navigate('/', { replace: true })
        }}
      />
      <p className="text-sm text-soft">{invite === undefined ? copy.note : consoleCopy.invited.note}</p>
    </main>
  )
}

type SignInFormProps = {
  /** Set where the same operator has to sign in again. */
  username?: string
  /** The token of an invitation. */
  invite?: string | undefined
  onDone?: () => void | Promise<void>
}

/** Name, password and code, which open a session of the console. */
export function SignInForm({ username, invite, onDone }: SignInFormProps) {
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

const { locked, ended } = consoleCopy

/** Covers the screen of a locked session: a code opens it, or one signs out. */
export const LockScreen = () => (
  <Cover title={locked.title} text={locked.text}>
    <OtpForm submitLabel={locked.submit} backLabel={consoleCopy.signOut} onBack={() => void signOut()} />
  </Cover>
)

/** Covers the screen of a session that is over: its operator signs in again, or leaves. No code opens it. */
export const EndedScreen = ({ username }: { username: string }) => (
  <Cover title={ended.title} text={ended.text}>
    <SignInForm username={username} />
    <Button kind="plain" className="w-full" onClick={signOutHere}>
      {ended.leave}
    </Button>
  </Cover>
)

const STAYS = { close: () => {} }

/** Neither Escape nor the back button closes it. */
function Cover({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    element?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return enterDialog(STAYS)
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-modal="true"
      aria-labelledby="lock-title"
      className="modal"
      onCancel={(event) => event.preventDefault()}
      // A browser may close it all the same, at the second Escape.
      onClose={() => dialog.current?.showModal()}
    >
      <div className="space-y-4 p-5">
        <h2 id="lock-title" className="text-lg">
          {title}
        </h2>
        <p>{text}</p>
        {children}
      </div>
    </dialog>
  )
}

const stepUpCopy = consoleCopy.stepUp

/** Fresh proof for an act that requires it. */
export function StepUpDialog() {
  const question = useStepUpQuestion()
  if (question === null) return null
  const { answer } = question
  return (
    <Dialog title={stepUpCopy.title} onClose={() => answer(false)}>
      <div className="space-y-4">
        <p>{stepUpCopy.text}</p>
        <OtpForm
          submitLabel={stepUpCopy.submit}
          backLabel={stepUpCopy.back}
          onBack={() => answer(false)}
          onDone={() => answer(true)}
        />
      </div>
    </Dialog>
  )
}

const { otp, otpHint } = consoleCopy.signIn

type OtpFormProps = { submitLabel: string; backLabel: string; onBack: () => void; onDone?: () => void }

/** A code of the second factor: to unlock the console, or as fresh proof for an act. */
export function OtpForm({ submitLabel, backLabel, onBack, onDone }: OtpFormProps) {
  const form = useSendForm(stepUpCall, {
    start: { otp: '' },
    isRefusedInForm: true,
    call: async (_endpoint, { body }) => {
      await stepUp((body as { otp: string }).otp)
      return { until: '' }
    },
    // The act that it opens reports how it went.
    report: () => {},
    onDone,
  })
  return (
    <Form form={form}>
      <SecondFactorField
        {...form.field('otp')}
        data-autofocus
        label={otp}
        hint={otpHint}
        inputMode="numeric"
      />
      <div className="flex flex-wrap justify-end gap-3">
        <Button kind="plain" onClick={onBack}>
          {backLabel}
        </Button>
        <Button type="submit" isBusy={form.isSending}>
          {submitLabel}
        </Button>
      </div>
    </Form>
  )
}
