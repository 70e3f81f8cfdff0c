import { useLayoutEffect } from 'react'
import { rowKeys, type Keys } from '#admin/kit/row-keys.ts'

/** Of the screen that is open. */
let shown: Keys = {}

/** While the screen is open its keys act; `?` lists them. */
export function useScreenKeys(keys: Keys): void {
  // Before the screen is painted: what is pressed as soon as it is seen counts already.
  useLayoutEffect(() => {
    shown = keys
    return () => {
      shown = {}
    }
  })
}

/** The screen's own keys go before those of its list. */
export const keysOfScreen = (): Keys => ({ ...rowKeys(), ...shown })

/** Does what the key means on this screen; false when it means nothing. */
export function actOfKey(key: string): boolean {
  const found = keysOfScreen()[key]
  return found !== undefined && found.act() !== false
}
