import { useEffect, useRef } from 'react'
import { useToasts } from '#web/parts/outcomes/toast-store.ts'

/** Short messages at the foot of the screen, at its top beside a dialog. In the top layer, so that the dialog does not cover them. */
export function ToastHost() {
  const toasts = useToasts()
  const region = useRef<HTMLOutputElement>(null)
  const lastId = toasts.at(-1)?.id

  useEffect(() => {
    const element = region.current
    if (!element?.showPopover) return
    // Shown again, it is above everything that entered the top layer before it.
    const rise = () => {
      if (element.matches(':popover-open')) element.hidePopover()
      if (lastId !== undefined) element.showPopover()
    }
    const riseAboveDialog = (event: Event) => {
      if (event.target instanceof HTMLDialogElement) rise()
    }
    rise()
    document.addEventListener('toggle', riseAboveDialog, { capture: true })
    return () => document.removeEventListener('toggle', riseAboveDialog, { capture: true })
  }, [lastId])

  return (
    <output ref={region} popover="manual" aria-live="polite" className="toast-region">
      <span className="flex flex-col gap-2">
        {toasts.map(({ id, text, isCut }) => (
          <span
            key={id}
            data-cut={isCut ? '' : undefined}
            className="toast rounded-xl border border-line-strong bg-night px-4 py-3 text-on-night shadow-card"
          >
            {text}
          </span>
        ))}
      </span>
    </output>
  )
}
