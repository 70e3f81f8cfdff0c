import { Suspense, useEffect, useState, type ComponentType } from 'react'
import { MODAL_FADE_MS } from '#contract/constants.ts'
import { enterDialog } from '#ui/open-dialogs.ts'
import { lazyComponent } from '#web/load-chunk.ts'
import { showToast, outcomeCopy } from '#web/parts/outcomes/announce.ts'
import { closeModal, useModal, type ModalName, type ModalProps } from '#web/parts/modals/modal-store.ts'

type Modal = ComponentType<ModalProps>

const passwordModals = () => import('#web/features/passwords/password-modals.tsx')

const modals: Record<ModalName, Modal> = {
  login: lazyModal(() => import('#web/features/sessions/login-modal.tsx').then((part) => part.LoginModal)),
  register: lazyModal(() =>
    import('#web/features/accounts/register-modal.tsx').then((part) => part.RegisterModal),
  ),
  forgot: lazyModal(() => passwordModals().then((part) => part.ForgotModal)),
  'reset-password': lazyModal(() => passwordModals().then((part) => part.ResetModal)),
  active: lazyModal(() =>
    import('#web/features/transfers/active-modal.tsx').then((part) => part.ActiveModal),
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
  const Modal = modals[shown.modal]
  return (
    <Suspense fallback={<Awaited />}>
      <Modal key={shown.modal} data={shown.data} isLeaving={state.modal === null} />
    </Suspense>
  )
}

/** The back button closes a modal whose code is still on its way, too. */
function Awaited() {
  useEffect(() => enterDialog({ close: closeModal }), [])
  return null
}

function lazyModal(load: () => Promise<Modal>): Modal {
  return lazyComponent(load, () => {
    showToast(outcomeCopy.defaultFailure)
    closeModal()
  })
}
