import { TOAST_TEXT_MAX, TOAST_TIMEOUT_MS } from '#contract/constants.ts'
import { createStore, useStore } from '#client/store.ts'

export type Toast = { id: number; text: string; isCut: boolean }

const TOASTS_MAX = 3

const toastStore = createStore<readonly Toast[]>([])
let lastId = 0

export const useToasts = () => useStore(toastStore)

/** Shows a short message for three seconds. The same message is not stacked upon itself. */
export function showToast(text: string): void {
  const toast = { id: ++lastId, ...cutToast(text) }
  const others = toastStore.get().filter((shown) => shown.text !== toast.text)
  toastStore.set([...others, toast].slice(-TOASTS_MAX))
  setTimeout(
    () => toastStore.set(toastStore.get().filter((shown) => shown.id !== toast.id)),
    TOAST_TIMEOUT_MS,
  )
}

/** The first 110 characters, by code points: a letter outside the basic plane counts as one. */
export function cutToast(text: string): { text: string; isCut: boolean } {
  const letters = Array.from(text)
  if (letters.length <= TOAST_TEXT_MAX) return { text, isCut: false }
  return { text: letters.slice(0, TOAST_TEXT_MAX).join(''), isCut: true }
}
