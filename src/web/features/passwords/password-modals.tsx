import { useEffect, useState } from 'react'
import { checkResetLink, resetPassword } from '#contract/accounts/passwords.ts'
import { pages, paths } from '#contract/pages.ts'
import { Alert } from '#ui/alert.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { ForgotByEmail, ForgotByGame, ForgotByPhone } from '#web/features/passwords/forgot-forms.tsx'
import { passwordsCopy as copy } from '#web/features/passwords/passwords.copy.ts'
import { ResetFields, EMPTY, useReset } from '#web/features/passwords/reset-fields.tsx'
import { Form } from '#client/forms/form.tsx'
import { browserCall } from '#web/browser-call.ts'
import { useSendForm } from '#web/parts/forms/use-send.ts'
import { openModal, type ModalProps } from '#web/parts/modals/modal-store.ts'
import { SwitchModal } from '#web/parts/forms/account-fields.tsx'

// Two modals in one file, and so in one built part: the entry contains the name of every part and has a size limit.

const WAYS = [
  { id: 'email', label: copy.byEmail },
  { id: 'phone', label: copy.byPhone },
  { id: 'game', label: copy.byGame },
]

/** The ways back into an account: a link by e-mail, a code by SMS, or one that the game shows. */
export function ForgotModal({ data }: ModalProps) {
  const [way, setWay] = useState(data.way === 'phone' ? 'phone' : 'email')
  /** Typed once for all ways. */
  const [username, setUsername] = useState('')
  const shared = { username, onUsername: setUsername }
  return (
    <>
      <Tabs label={copy.ways} tabs={WAYS} chosenId={way} onChoose={setWay}>
        {way === 'email' && <ForgotByEmail {...shared} />}
        {way === 'phone' && <ForgotByPhone {...shared} next={data.next} />}
        {way === 'game' && <ForgotByGame {...shared} next={data.next} />}
      </Tabs>
      <SwitchModal question={copy.remembered} to="login" label={copy.login} className="mt-4" />
      <SwitchModal question={copy.noAccount} to="register" label={copy.register} />
      <p className="flex flex-wrap items-center justify-center text-[0.9375rem]">
        {copy.lost} {/* A document of its own: the dialog is closed by that. */}
        <a href={paths.askForHelp} className={buttonClass('text', 'px-2')}>
          {pages.askForHelp.title}
        </a>
      </p>
    </>
  )
}

/** Opened by the link of a mail, with its token; without one, or with one that was used, it leads to a new request. */
export function ResetModal({ data }: ModalProps) {
  const token = typeof data.token === 'string' ? data.token : ''
  const [isRefused, setRefused] = useState(false)
  const [isChecking, setChecking] = useState(token !== '')
  useEffect(() => {
    if (token === '') return
    browserCall(checkResetLink, { body: { token } })
      .then(({ is_valid }) => setRefused(!is_valid))
      // Without an answer the form is shown, and its call reports the failure.
      .catch(() => undefined)
      .finally(() => setChecking(false))
  }, [token])
  const { isFactorRequired, requireFactor, common } = useReset(data.next)
  const form = useSendForm(resetPassword, {
    ...common,
    start: EMPTY,
    toBody: (typed) => ({ ...typed, token }),
    onRefused: (code) => {
      if (code === 'TOKEN_INVALID') setRefused(true)
      return requireFactor(code) || code === 'TOKEN_INVALID'
    },
  })
  if (token === '' || isRefused)
    return (
      <div className="space-y-4">
        <Alert>
          <p>{copy.tokenInvalid}</p>
        </Alert>
        <Button data-autofocus className="w-full" onClick={() => openModal('forgot')}>
          {copy.requestAgain}
        </Button>
      </div>
    )
  if (isChecking)
    return (
      <p role="status" className="flex min-h-40 items-center justify-center text-soft">
        {copy.checking}
      </p>
    )
  return (
    <Form form={form}>
      <p className="text-[0.9375rem] text-soft">{copy.resetLead}</p>
      <ResetFields form={form} isFactorRequired={isFactorRequired} />
    </Form>
  )
}
