import { paths } from '#contract/pages.ts'
import { isPixelLoaded, blockPixel } from '#web/parts/pixel/pixel.ts'
import { createStore, useStore } from '#client/store.ts'

export type ModalName = 'login' | 'register' | 'forgot' | 'reset-password' | 'active'

export type ModalState = { modal: ModalName | null; data: Record<string, unknown> }

/** Known before the code of a modal has come. */
export const MODAL_TITLES: Record<ModalName, string> = {
  login: 'Đăng nhập',
  register: 'Đăng ký tài khoản',
  forgot: 'Quên mật khẩu',
  'reset-password': 'Đặt lại mật khẩu',
  active: 'Kích hoạt tài khoản',
}

/** What is in each modal gets the data of its opener. */
export type ModalProps = { data: ModalState['data'] }

/** One open modal or none (spec §4), with the data its opener passes. Opening one closes the other. */
export const modalStore = createStore<ModalState>({ modal: null, data: {} })

export const useModal = () => useStore(modalStore)

export function openModal(modal: ModalName, data: Record<string, unknown> = {}): void {
  if (modal === 'forgot' || modal === 'reset-password') {
    // The advertiser's script must not see codes and new passwords: a document that has loaded it is left.
    if (isPixelLoaded()) return location.assign(paths.forgot + (data.way ? `?way=${String(data.way)}` : ''))
    blockPixel()
  }
  modalStore.set({ modal, data })
}

/** Switches between login, register and forgot without losing what the first one was opened for. */
export function switchModal(modal: ModalName): void {
  openModal(modal, modalStore.get().data)
}

export function closeModal(): void {
  modalStore.set(modalStore.initial)
}
