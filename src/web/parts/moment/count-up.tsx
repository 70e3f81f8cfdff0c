import { useEffect, useState } from 'react'
import { formatNumber } from '#contract/format.ts'

const LASTS_MS = 900

/** A figure that counts up to its value once `isCounting`; at once where motion is not wanted. */
export function CountUp({ value, isCounting }: { value: number; isCounting: boolean }) {
  const [shown, setShown] = useState(value)
  useEffect(() => {
    const isMoving = isCounting && !matchMedia('(prefers-reduced-motion: reduce)').matches
    let frame = 0
    let start_ms: number | null = null
    const draw = (now_ms: number) => {
      start_ms ??= now_ms
      const part = isMoving ? Math.min(1, (now_ms - start_ms) / LASTS_MS) : 1
      // Fast at first, slower towards its end.
      setShown(Math.round(value * (1 - (1 - part) ** 3)))
      if (part < 1) frame = requestAnimationFrame(draw)
    }
    frame = requestAnimationFrame(draw)
    return () => cancelAnimationFrame(frame)
  }, [value, isCounting])
  return (
    <>
      <span aria-hidden="true" className="tabular-nums">
        {formatNumber(shown)}
      </span>
      <span className="sr-only">{formatNumber(value)}</span>
    </>
  )
}
