import type { FastifyInstance } from 'fastify'

/** Sent by a proxy that asks another process what this one answers 502 (`deploy/nginx/portal.conf`). */
const RETRIES_502 = 'x-retries-502'
const REPEATABLE = new Set(['GET', 'HEAD'])

/**
 * While a stop is under way, whoever keeps connections open is asked to open no more requests on them, and nginx learns
 * of the stop in the only way it can: by answers that it retries and counts as failures. After two of them it sends
 * nothing here, so that nothing is on its way when the port closes. What may have an effect is not retried by nginx and
 * is served as ever; so is everything for balancers that ask /readyz instead.
 */
export function turnAwayWhileStopping(app: FastifyInstance, { isStopping }: { isStopping(): boolean }): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!isStopping()) return
    reply.header('connection', 'close')
    const isRetried = request.headers[RETRIES_502] !== undefined && REPEATABLE.has(request.method)
    if (isRetried) return reply.code(502).header('cache-control', 'no-store').send({ status: 'stopping' })
  })
}
