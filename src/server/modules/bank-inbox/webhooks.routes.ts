import type { FastifyInstance } from 'fastify'
import { receiveWebhook } from './webhooks.service.ts'
import type { BankInboxDeps } from './bank-inbox-deps.ts'

const BODY_LIMIT_BYTES = 64 * 1024

/** The vendors' webhooks. Encapsulated, since here a body stays the bytes that were signed. */
export async function registerWebhooks(app: FastifyInstance, deps: BankInboxDeps): Promise<void> {
  await app.register(async (webhooks) => {
    webhooks.removeAllContentTypeParsers()
    webhooks.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    for (const { provider, reader } of deps.payments.webhooks) {
      webhooks.post(`/api/webhooks/${provider}`, { bodyLimit: BODY_LIMIT_BYTES }, async (request, reply) => {
        const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const success = await receiveWebhook(deps, {
          reader,
          notification: { raw, headers: request.headers },
          requestId: request.id,
          log: request.log,
        })
        if (success === 204) return reply.code(204).send()
        return { success: true }
      })
    }
  })
}
