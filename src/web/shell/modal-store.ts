import { createStore, useStore } from '#web/store.ts'

export type ModalName = 'login' | 'register' | 'active'

export type ModalState = { modal: ModalName | null; data: Record<string, unknown> }

/** What each modal is shown with; `isLeaving` while it fades. */
export type ModalProps = { data: ModalState['data']; isLeaving: boolean }

/** One open modal or none (spec §4), with whatever its opener wants it to know. Opening one closes the other. */
export const modalStore = createStore<ModalState>({ modal: null, data: {} })

export const useModal = () => useStore(modalStore)

export function openModal(modal: ModalName, data: Record<string, unknown> = {}): void {
  modalStore.set({ modal, data })
}

/** Switches between login and register without losing what the first one was opened for. */
export function switchModal(modal: ModalName): void {
  modalStore.set({ ...modalStore.get(), modal })
}

export function closeModal(): void {
  modalStore.set(modalStore.initial)
}
