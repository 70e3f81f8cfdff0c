import type { PlatformDeps } from '#server/platform/deps.ts'
import { timeToNextPost } from './posts.queries.ts'

/** Longer waits are measured again: timers take no more than 24 days, and clocks are corrected. */
const WAIT_MS_MAX = 600_000
const RETRY_MS = 5_000

export type Publishing = { plan(): void; close(): void }

/**
 * Calls `onPublished` in this process when the moment of a scheduled post comes. Nothing is written then, so nothing
 * notifies the processes: each waits by itself. `plan` looks again, after posts changed.
 */
export function watchPublishing(
  { db, log }: Pick<PlatformDeps, 'db' | 'log'>,
  onPublished: () => void,
): Publishing {
  let timer: NodeJS.Timeout | undefined
  let newest = 0

  async function plan(): Promise<void> {
    const plan = ++newest
    const wait = await timeToNextPost(db).catch((error: unknown) => {
      log.warn({ err: error }, 'the next scheduled post is not known yet')
      return 'unknown' as const
    })
    // A later plan knows more.
    if (plan !== newest) return
    clearTimeout(timer)
    if (wait === null) return
    if (wait === 'unknown') wake(RETRY_MS, () => {})
    else if (wait > WAIT_MS_MAX) wake(WAIT_MS_MAX, () => {})
    // A timer may come a millisecond early.
    else wake(wait + 5, onPublished)
  }

  function wake(afterMs: number, act: () => void): void {
    timer = setTimeout(() => {
      act()
      void plan()
    }, afterMs).unref()
  }

  void plan()
  return {
    plan: () => void plan(),
    close() {
      newest++
      clearTimeout(timer)
    },
  }
}
