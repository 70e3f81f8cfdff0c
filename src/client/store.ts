import { useSyncExternalStore } from 'react'

export type Store<T> = {
  get: () => T
  set: (value: T) => void
  subscribe: (listener: () => void) => () => void
}

/** A value that lives outside React: changed from anywhere, read by components through `useStore`. */
export function createStore<T>(initial: T): Store<T> & { initial: T } {
  let current = initial
  const listeners = new Set<() => void>()
  return {
    initial,
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return
      current = value
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** During hydration everybody reads the initial value, as the server did. */
export function useStore<T>(store: Store<T> & { initial: T }): T {
  return useSyncExternalStore(store.subscribe, store.get, () => store.initial)
}
