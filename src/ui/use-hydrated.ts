import { useSyncExternalStore } from 'react'

/**
 * Whether React has taken over what the server rendered: false there and while it is hydrated. For what the server does not know,
 * such as the query of the address.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  )
}
