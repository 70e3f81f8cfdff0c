import type { FastifyInstance } from 'fastify'
import type { Log } from '#server/platform/log/log.ts'
import { Refusal } from '#server/platform/values/errors.ts'

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
 * parent the portal ends too, or it would hold port and database unnoticed.
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

/** Sent by a proxy that repeats at another process what this one answers 502 (`deploy/nginx/portal.conf`). */
const RETRIES_502 = 'x-retries-502'
const REPEATABLE = new Set(['GET', 'HEAD'])

/**
 * During a stop, answers close their connections, and nginx notices the stop by answers that it retries and counts as
 * failures. After two of them it sends
 * nothing here, so that nothing is on its way when the port closes. What may have an effect is not retried by nginx and
 * is served as ever; so is everything for balancers that read /readyz instead, until the port closes.
 */
export function turnAwayWhileStopping(app: FastifyInstance, { isStopping }: { isStopping(): boolean }): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onRequest', async (request, reply) => {
    if (!isStopping() && !isClosing) return
    reply.header('connection', 'close')
    if (!REPEATABLE.has(request.method)) return
    // A closing portal can render no page.
    const isRetried = request.headers[RETRIES_502] !== undefined
    if (isClosing && !isRetried) throw new Refusal('UNAVAILABLE', { retryAfterSeconds: 1 })
    if (isRetried) return reply.code(502).header('cache-control', 'no-store').send({ status: 'stopping' })
  })
}
