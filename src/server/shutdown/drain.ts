import type { FastifyInstance } from 'fastify'
import { Refusal } from '#server/platform/values/errors.ts'

/** Sent by a proxy that asks another process what this one answers 502 (`deploy/nginx/portal.conf`). */
const RETRIES_502 = 'x-retries-502'
const REPEATABLE = new Set(['GET', 'HEAD'])

/**
 * While a stop is under way, whoever keeps connections open is asked to open no more requests on them, and nginx learns
 * of the stop in the only way it can: by answers that it retries and counts as failures. After two of them it sends
 * nothing here, so that nothing is on its way when the port closes. What may have an effect is not retried by nginx and
 * is served as ever; so is everything for balancers that ask /readyz instead, until the port closes.
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
