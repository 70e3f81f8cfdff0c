import { CONSOLE_IDLE_MINUTES } from '#contract/operator/session.ts'
import { lockConsole } from '#admin/session/console-session.ts'
import { readToken } from '#admin/session/token.ts'

const IDLE_MS = CONSOLE_IDLE_MINUTES * 60_000
const SIGNS_OF_USE = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const

/**
 * Locks the console after thirty minutes without a touch or a key. Pages that refresh themselves would otherwise keep
 * a session alive that nobody sits at.
 */
export function watchIdle(): () => void {
  let usedAt = Date.now()
  const note = () => {
    usedAt = Date.now()
  }
  for (const sign of SIGNS_OF_USE) addEventListener(sign, note, { passive: true, capture: true })
  const timer = setInterval(() => {
    if (readToken() !== null && Date.now() - usedAt >= IDLE_MS) lockConsole()
  }, 5_000)
  return () => {
    clearInterval(timer)
    for (const sign of SIGNS_OF_USE) removeEventListener(sign, note, { capture: true })
  }
}
