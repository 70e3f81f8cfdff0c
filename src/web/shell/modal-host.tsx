import { useEffect, useState, type ComponentType } from 'react'
import { MODAL_FADE_MS } from '#contract/constants.ts'
import { Dialog } from '#ui/dialog.tsx'
import { lazyContent } from '#web/parts/fallbacks/lazy-content.tsx'
import {
  closeModal,
  MODAL_TITLES,
  useModal,
  type ModalName,
  type ModalProps,
} from '#web/parts/modals/modal-store.ts'

const passwordModals = () => import('#web/features/passwords/password-modals.tsx')

const contents: Record<ModalName, ComponentType<ModalProps>> = {
  login: lazyContent(() => import('#web/features/sessions/login-modal.tsx').then((part) => part.LoginModal), {
    height: 22,
  }),
  register: lazyContent(
    () => import('#web/features/accounts/register-modal.tsx').then((part) => part.RegisterModal),
    { height: 40 },
  ),
  forgot: lazyContent(() => passwordModals().then((part) => part.ForgotModal), { height: 35 }),
  'reset-password': lazyContent(() => passwordModals().then((part) => part.ResetModal), { height: 18 }),
  active: lazyContent(
    () => import('#web/features/transfers/active-modal.tsx').then((part) => part.ActiveModal),
    { height: 14 },
  ),
}

/** Shows the one open modal; a closed one stays for the time of its fade. */
export function ModalHost() {
  const state = useModal()
  const [shown, setShown] = useState(state)
  if (state.modal !== null && shown !== state) setShown(state)

  useEffect(() => {
    if (state.modal !== null) return
    const timer = setTimeout(() => setShown(state), MODAL_FADE_MS)
    return () => clearTimeout(timer)
  }, [state])

  if (shown.modal === null) return null
  const Content = contents[shown.modal]
  return (
    <Dialog
      key={shown.modal}
      title={MODAL_TITLES[shown.modal]}
      isLeaving={state.modal === null}
      onClose={closeModal}
    >
      <Content data={shown.data} />
    </Dialog>
  )
}
