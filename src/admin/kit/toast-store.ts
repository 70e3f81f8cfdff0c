import { createStore, useStore } from '#client/store.ts'
import { TOAST_TIMEOUT_MS } from '#contract/constants.ts'

type Toast = { id: number; text: string; isFailure: boolean }

const toasts = createStore<readonly Toast[]>([])
let lastId = 0

export const useToasts = () => useStore(toasts)

/** A short message at the foot of the screen. One about a failure stays longer. */
export function showToast(text: string, { isFailure = false } = {}): void {
  const id = ++lastId
  toasts.set([...toasts.get().filter((shown) => shown.text !== text), { id, text, isFailure }].slice(-3))
  setTimeout(
    () => toasts.set(toasts.get().filter((shown) => shown.id !== id)),
    isFailure ? 3 * TOAST_TIMEOUT_MS : TOAST_TIMEOUT_MS,
  )
}
