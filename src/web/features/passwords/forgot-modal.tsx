import { useState } from 'react'
import { Button, keepFocus } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { ForgotByEmail } from '#web/features/passwords/forgot-by-email.tsx'
import { ForgotByPhone } from '#web/features/passwords/forgot-by-phone.tsx'
import { passwordsCopy as copy } from '#web/features/passwords/passwords.copy.ts'
import { closeModal, switchModal, type ModalProps } from '#web/shell/modal-store.ts'

const WAYS = [
  { id: 'email', label: copy.byEmail },
  { id: 'phone', label: copy.byPhone },
]

/** Two ways back into an account: a link by e-mail, or a code by SMS. */
export function ForgotModal({ data, isLeaving }: ModalProps) {
  const [way, setWay] = useState('email')
  /** Typed once for both ways. */
  const [username, setUsername] = useState('')
  const shared = { username, onUsername: setUsername }
  return (
    <Dialog title={copy.forgotTitle} isLeaving={isLeaving} onClose={closeModal}>
      <Tabs label={copy.ways} tabs={WAYS} chosenId={way} onChoose={setWay}>
        {way === 'email' ? <ForgotByEmail {...shared} /> : <ForgotByPhone {...shared} next={data.next} />}
      </Tabs>
      <p className="mt-4 flex flex-wrap items-center justify-center text-[0.9375rem]">
        {copy.remembered}
        <Button kind="quiet" className="px-2" onMouseDown={keepFocus} onClick={() => switchModal('login')}>
          {copy.login}
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
