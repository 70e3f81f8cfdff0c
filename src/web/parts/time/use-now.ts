import { useEffect, useState } from 'react'
import { isClockKnown, serverClock, serverNow } from '#client/server-clock.ts'
import { askServerTime } from '#web/browser-call.ts'

const SECOND_MS = 1000

/**
 * The server's time, updated every second while it is needed. Where the server has rendered it, `start_ms` is what server
 * and browser both begin with: the time of the answer that is shown.
 */
export function useNow(isNeeded: boolean, start_ms?: number): number {
  const [now_ms, setNow] = useState(() => start_ms ?? serverNow())
  useEffect(() => {
    const update = () => setNow(serverNow())
    // Visitors may have made no call yet that told it.
    if (isNeeded && !isClockKnown()) void askServerTime()
    if (start_ms !== undefined) update()
    const stop = serverClock.subscribe(update)
    const timer = isNeeded ? setInterval(update, SECOND_MS) : undefined
    return () => {
      clearInterval(timer)
      stop()
    }
  }, [isNeeded, start_ms])
  return now_ms
}
