import { closeModal, modalStore } from '#web/parts/modals/modal-store.ts'

const isMarked = () => (history.state as { isModal?: boolean } | null)?.isModal === true

/**
 * Lets the back button close an open modal instead of leaving the page: while one is open, the browser's history has an
 * entry of the same address for it. Call before the router begins to listen, which must not see these entries.
 */
export function tieModalsToHistory(): void {
  // A reload keeps the entry and loses the modal.
  if (isMarked()) history.replaceState({ ...history.state, isModal: false }, '')
  let isTakingBack = false

  addEventListener('popstate', (event) => {
    const isOpen = modalStore.get().modal !== null
    if (isTakingBack) {
      isTakingBack = false
      event.stopImmediatePropagation()
    } else if (isOpen && !isMarked()) {
      event.stopImmediatePropagation()
      closeModal()
    } else if (!isOpen && isMarked()) {
      // Reached from another page or by the forward button: the entry shows nothing of its own, so go back to its page.
      history.back()
    }
  })

  modalStore.subscribe(() => {
    const isOpen = modalStore.get().modal !== null
    if (isOpen && !isMarked()) history.pushState({ ...history.state, isModal: true }, '')
    if (!isOpen) {
      // Not at once: whoever closed it may be leading to another page, whose entry is then above this one.
      setTimeout(() => {
        if (modalStore.get().modal !== null || !isMarked()) return
        isTakingBack = true
        history.back()
      })
    }
  })
}
