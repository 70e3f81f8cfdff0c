import { useEffect, useRef } from 'react'
import { TOAST_TIMEOUT_MS } from '#contract/constants.ts'
import { createStore, useStore } from './store.ts'

type Options = {
  /** The text is only the beginning of a longer one. */
  isCut?: boolean
  /** Shown in red, and three times as long. */
  isFailure?: boolean
}

type Toast = Required<Options> & { id: number; text: string }

const TOASTS_MAX = 3

const toasts = createStore<readonly Toast[]>([])
let lastId = 0

/** Shows a short message. The same message is shown once. */
export function showToast(text: string, { isCut = false, isFailure = false }: Options = {}): void {
  const id = ++lastId
  const others = toasts.get().filter((shown) => shown.text !== text)
  toasts.set([...others, { id, text, isCut, isFailure }].slice(-TOASTS_MAX))
  setTimeout(
    () => toasts.set(toasts.get().filter((shown) => shown.id !== id)),
    isFailure ? 3 * TOAST_TIMEOUT_MS : TOAST_TIMEOUT_MS,
  )
}

/** Short messages at the foot of the screen, at its top beside a dialog. In the top layer, so that the dialog does not cover them. */
export function ToastHost({ className = '' }: { className?: string }) {
  const shown = useStore(toasts)
  const region = useRef<HTMLOutputElement>(null)
  const lastShownId = shown.at(-1)?.id

  useEffect(() => {
    const element = region.current
    if (!element?.showPopover) return
    // Shown again, it is above everything that entered the top layer before it.
    const showOnTop = () => {
      if (element.matches(':popover-open')) element.hidePopover()
      if (lastShownId !== undefined) element.showPopover()
    }
    const showAboveDialog = (event: Event) => {
      if (event.target instanceof HTMLDialogElement) showOnTop()
    }
    showOnTop()
    document.addEventListener('toggle', showAboveDialog, { capture: true })
    return () => document.removeEventListener('toggle', showAboveDialog, { capture: true })
  }, [lastShownId])

  return (
    <output ref={region} popover="manual" aria-live="polite" className="toast-region">
      <span className="flex flex-col gap-2">
        {shown.map(({ id, text, isCut, isFailure }) => (
          <span
            key={id}
            data-cut={isCut ? '' : undefined}
            className={`${className} rounded-xl border px-4 py-3 text-on-night shadow-card ${isFailure ? 'border-vermilion bg-fill-strong' : 'border-line-strong bg-night'}`}
          >
            {text}
          </span>
        ))}
      </span>
    </output>
  )
}
