import { useEffectEvent, useLayoutEffect, type ChangeEvent } from 'react'
import { useHydrated } from './use-hydrated.ts'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

type Controlled<C> = {
  value?: unknown
  checked?: boolean | undefined
  onChange?: ((event: ChangeEvent<C>) => void) | undefined
}

/**
 * Tells who controls a field what somebody filled in before React answered, as on a slow phone. React 19.2 calls no `onChange` for
 * it and puts its own value back at the next rendering (facebook/react#12955), so this runs before one.
 */
export function useFilledBefore<C extends Control>(id: string, { value, checked, onChange }: Controlled<C>) {
  const isHydrated = useHydrated()
  const tell = useEffectEvent(() => {
    const control = isHydrated ? null : (document.getElementById(id) as C | null)
    if (!control) return
    const isFilled =
      checked === undefined
        ? value !== undefined && control.value !== String(value)
        : 'checked' in control && control.checked && !checked
    if (isFilled) onChange?.({ target: control, currentTarget: control } as unknown as ChangeEvent<C>)
  })
  useLayoutEffect(() => tell(), [])
}
