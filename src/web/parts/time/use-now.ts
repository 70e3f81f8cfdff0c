import { useEffect, useState, useSyncExternalStore } from 'react'

const SECOND_MS = 1000

/**
 * The time, updated every second while it is needed. Where the server has rendered it, `start_ms` is what server
 * and browser both begin with: the time of the answer that is shown.
 */
export function useNow(isNeeded: boolean, start_ms?: number): number {
  const [now_ms, setNow] = useState(() => start_ms ?? Date.now())
  useEffect(() => {
    const update = () => setNow(Date.now())
    if (start_ms !== undefined) update()
    if (!isNeeded) return
    const timer = setInterval(update, SECOND_MS)
    return () => clearInterval(timer)
  }, [isNeeded, start_ms])
  return now_ms
}

/** Whether the page is hydrated. The server renders without the query of the address, which is used from then on. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  )
}
