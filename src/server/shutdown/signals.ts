import type { Log } from '../platform/log/log.ts'

const PARENT_CHECK_MS = 500

type Endable = { log: Log; stop(): Promise<void> }

/**
 * Ends the portal on SIGTERM or SIGINT; a second signal ends it at once. A portal that is still starting is stopped as
 * soon as it has started: ended halfway, it would leave its PostgreSQL running. Each step of the stop is limited in time.
 */
export function stopOnSignals(starting: Promise<Endable>): void {
  let isStopping = false
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1)
    begin(signal)
  }
  const begin = (signal: string) => {
    if (isStopping) return
    isStopping = true
    starting
      .then(async (portal) => {
        portal.log.info({ signal }, 'stopping')
        await portal.stop()
      })
      .then(
        () => process.exit(0),
        () => process.exit(1),
      )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  if (process.env.npm_lifecycle_event !== undefined) whenOrphaned(() => begin('the end of npm'))
}

/**
 * `npm start` is npm, a shell, and this process. A signal to npm ends the shell, which passes nothing on: without its
 * parent the portal ends too, or it would keep port and database where nobody looks for it.
 */
export function whenOrphaned(act: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    act()
  }, PARENT_CHECK_MS)
  timer.unref()
}
