import { useState } from 'react'
import type { Moment } from '#web/parts/moment/moment.ts'

/** Whether it was over only after it had been shown: what was long over is not celebrated again. */
export function useWasAwaited({ phase }: Moment): boolean {
  const [first] = useState(phase)
  return phase === 'done' && first !== 'done'
}
