import { useLayoutEffect } from 'react'

/** Keys of the screen that is open, each with what it does in words. */
type ScreenKeys = Record<string, { label: string; act: () => void }>

let shown: ScreenKeys = {}

/** While the screen is open its keys act; `?` lists them. */
export function useScreenKeys(keys: ScreenKeys): void {
  // Before the screen is painted: what is pressed as soon as it is seen counts already.
  useLayoutEffect(() => {
    shown = keys
    return () => {
      shown = {}
    }
  })
}

export const keysOfScreen = (): ScreenKeys => shown

/** Does what the key means on this screen; false when it means nothing. */
export function actOfKey(key: string): boolean {
  const found = shown[key]
  found?.act()
  return found !== undefined
}
