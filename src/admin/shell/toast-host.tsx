import { useEffect, useRef } from 'react'
import { useToasts } from '#admin/kit/toast-store.ts'

/** Short messages at the foot of the screen, above an open dialog. */
export function ToastHost() {
  const toasts = useToasts()
  const region = useRef<HTMLOutputElement>(null)
  const lastId = toasts.at(-1)?.id

  // Shown again it comes to lie above whatever entered the top layer before it.
  useEffect(() => {
    const element = region.current
    if (!element?.showPopover) return
    if (element.matches(':popover-open')) element.hidePopover()
    if (lastId !== undefined) element.showPopover()
  }, [lastId])

  return (
    <output ref={region} popover="manual" aria-live="polite" className="toast-region">
      <span className="flex flex-col gap-2">
        {toasts.map(({ id, text, isFailure }) => (
          <span
            key={id}
            className={`rounded-xl border px-4 py-3 text-on-night shadow-card ${isFailure ? 'border-vermilion bg-fill-strong' : 'border-line-strong bg-night'}`}
          >
            {text}
          </span>
        ))}
      </span>
    </output>
  )
}
