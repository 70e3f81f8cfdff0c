import { useSyncExternalStore } from 'react'

/** Whether the page lives: the server renders without the query of the address, which counts from then on. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  )
}
