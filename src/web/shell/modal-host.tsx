import { useEffect, useRef, useState, type ComponentType } from 'react'
import { MODAL_FADE_MS } from '#contract/constants.ts'
import { Button } from '#ui/button.tsx'
import { enterDialog } from '#ui/open-dialogs.ts'
import { lazyComponent } from '#web/load-chunk.tsx'
import { outcomeCopy } from '#web/parts/outcomes/announce.ts'
import {
  closeModal,
  modalStore,
  useModal,
  type ModalName,
  type ModalProps,
} from '#web/parts/modals/modal-store.ts'
import { shellCopy as copy } from '#web/shell/shell.copy.ts'

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
  return <Modal key={shown.modal} data={shown.data} isLeaving={state.modal === null} />
}

/** The back button closes a modal whose code is still on its way, too. */
function Awaited() {
  useEffect(() => enterDialog({ close: closeModal }), [])
  return null
}

function lazyModal(load: () => Promise<Modal>): Modal {
  return lazyComponent<ModalProps>(load, {
    waiting: <Awaited />,
    renderFailed: ({ isLeaving }, retry) => !isLeaving && <FailedModal onRetry={retry} />,
  })
}

/** In place of a modal that cannot be shown, until it is closed or opened again. It takes the focus, as the modal would have. */
function FailedModal({ onRetry }: { onRetry: () => void }) {
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const before = document.activeElement
    first.current?.focus()
    const leave = enterDialog({ close: closeModal })
    const stop = modalStore.subscribe(() => modalStore.get().modal && onRetry())
    return () => {
      leave()
      stop()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [onRetry])
  return (
    <section
      role="alertdialog"
      aria-label={outcomeCopy.notOpened}
      className="fixed inset-x-0 bottom-(--shell-bottom) z-30 border-t border-line-strong bg-raised shadow-card"
    >
      <div className="shell-width flex flex-wrap items-center gap-3 py-3">
        <p className="grow font-bold">{outcomeCopy.notOpened}</p>
        <Button ref={first} onClick={onRetry}>
          {outcomeCopy.retry}
        </Button>
        <Button kind="plain" onClick={() => location.reload()}>
          {copy.reload}
        </Button>
        <Button kind="text" onClick={closeModal}>
          {copy.close}
        </Button>
      </div>
    </section>
  )
}
