import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useNavigate } from 'react-router'
import { login, loginBody } from '#contract/auth.ts'
import { Alert } from '#ui/alert.tsx'
import { Button, keepFocus } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Field } from '#ui/field.tsx'
import { browserCall } from '#web/browser-call.ts'
import { CallError } from '#web/call.ts'
import { sessionsCopy as copy } from '#web/features/sessions/sessions.copy.ts'
import { messagesOf } from '#web/parts/outcomes/report-outcome.ts'
import { openSession } from '#web/session/session-store.ts'
import { announce } from '#web/parts/outcomes/dialog-store.ts'
import {
  closeModal,
  modalStore,
  openModal,
  switchModal,
  type ModalProps,
} from '#web/parts/modals/modal-store.ts'

export function LoginModal({ data, isLeaving }: ModalProps) {
  const { register, submit, errors, isSubmitting, refusal, needsSecondFactor, isThrottled } = useLoginForm(
    data.next,
  )
  return (
    <Dialog title={copy.login} isLeaving={isLeaving} onClose={closeModal}>
      <form noValidate className="space-y-4" onSubmit={(event) => void submit(event)}>
        {refusal.length > 0 && (
          <Alert>
            {refusal.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </Alert>
        )}
        <Field
          {...register('username')}
          label={copy.username}
          error={errors.username?.message}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
        />
        <Field
          {...register('password')}
          label={copy.password}
          error={errors.password?.message}
          type="password"
          autoComplete="current-password"
        />
        {needsSecondFactor && (
          <Field
            {...register('otp')}
            label={copy.secondFactor}
            hint={copy.secondFactorHint}
            error={errors.otp?.message}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
          />
        )}
        <Button type="submit" isBusy={isSubmitting} className="w-full">
          {copy.login}
        </Button>
      </form>
      {isThrottled && <OtherWays />}
      <p className="mt-2 text-center">
        <Button kind="quiet" onMouseDown={keepFocus} onClick={() => switchModal('forgot')}>
          {copy.forgot}
        </Button>
      </p>
      <p className="flex flex-wrap items-center justify-center text-[0.9375rem]">
        {copy.noAccount}
        <Button kind="quiet" className="px-2" onMouseDown={keepFocus} onClick={() => switchModal('register')}>
          {copy.register}
        </Button>
      </p>
    </Dialog>
  )
}

/** Others may have used up the tries of this account: a code or a link lets its owner in all the same. */
function OtherWays() {
  const open = (way: string) => () => openModal('forgot', { ...modalStore.get().data, way })
  return (
    <div className="mt-4 grid gap-3 sm:grid-cols-2">
      <Button kind="plain" onMouseDown={keepFocus} onClick={open('phone')}>
        {copy.bySms}
      </Button>
      <Button kind="plain" onMouseDown={keepFocus} onClick={open('email')}>
        {copy.byEmail}
      </Button>
    </div>
  )
}

function useLoginForm(next: unknown) {
  const navigate = useNavigate()
  const [refusal, setRefusal] = useState<string[]>([])
  const [needsSecondFactor, setNeedsSecondFactor] = useState(false)
  const [isThrottled, setThrottled] = useState(false)
  const { register, handleSubmit, formState } = useForm({
    mode: 'onTouched',
    resolver: standardSchemaResolver(loginBody),
    defaultValues: { username: '', password: '', otp: undefined as string | undefined },
  })

  const submit = handleSubmit(async (form) => {
    setRefusal([])
    try {
      const answer = await openSession(() => browserCall(login, { body: form }))
      closeModal()
      if (answer.message) announce({ kind: 'warning', lines: [answer.message] })
      if (typeof next === 'string') await navigate(next)
    } catch (error) {
      if (error instanceof CallError && error.body?.code === 'SECOND_FACTOR_REQUIRED')
        setNeedsSecondFactor(true)
      if (error instanceof CallError && error.body?.code === 'RATE_LIMITED') setThrottled(true)
      setRefusal(messagesOf(error))
    }
  })

  const { errors, isSubmitting } = formState
  return { register, submit, errors, isSubmitting, refusal, needsSecondFactor, isThrottled }
}
