import { useState } from 'react'
import { resetPassword } from '#contract/passwords.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { browserCall } from '#web/browser-call.ts'
import { NewPasswordForm, type NewPassword } from '#web/features/passwords/new-password-form.tsx'
import { passwordsCopy as copy } from '#web/features/passwords/passwords.copy.ts'
import { codeOf, useReset } from '#web/features/passwords/use-reset.ts'
import { closeModal, openModal, type ModalProps } from '#web/shell/modal-store.ts'

const isTokenInvalid = (error: unknown) => codeOf(error) === 'TOKEN_INVALID'

/** Opened by the link of a mail, with its token; without one, or with one that is spent, it leads to a new request. */
export function ResetModal({ data, isLeaving }: ModalProps) {
  const token = typeof data.token === 'string' ? data.token : ''
  const [isRefused, setRefused] = useState(false)
  const { reset, isFactorAsked } = useReset(data.next)
  const submit = (typed: NewPassword) =>
    reset(
      () => browserCall(resetPassword, { body: { ...typed, token } }),
      (error) => {
        setRefused(isTokenInvalid(error))
        return isTokenInvalid(error)
      },
    )
  return (
    <Dialog title={copy.resetTitle} isLeaving={isLeaving} onClose={closeModal}>
      {token === '' || isRefused ? (
        <div className="space-y-4">
          <Alert>
            <p>{copy.tokenInvalid}</p>
          </Alert>
          <Button data-autofocus className="w-full" onClick={() => openModal('forgot')}>
            {copy.askAnew}
          </Button>
        </div>
      ) : (
        <div className="space-y-4">
          <p className="text-[0.9375rem] text-soft">{copy.resetLead}</p>
          <NewPasswordForm isFactorAsked={isFactorAsked} onPassword={submit} />
        </div>
      )}
    </Dialog>
  )
}
