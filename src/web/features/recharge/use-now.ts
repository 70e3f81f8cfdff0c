import { useEffect, useState } from 'react'

const SECOND_MS = 1000

/** The time, renewed every second while somebody needs it. */
export function useNow(isNeeded: boolean): number {
  const [now_ms, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isNeeded) return
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [isNeeded])
  return now_ms
}
