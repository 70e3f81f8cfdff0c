import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import type { NotificationReader } from '#server/modules/payment-providers/index.ts'
import type { Api } from '#server/platform/http/api.ts'
import { receiveWebhook } from './webhooks.service.ts'
import type { BankInboxDeps } from '../bank-inbox-deps.ts'

const BODY_LIMIT_BYTES = 64 * 1024

/** The notifications of one provider as the OpenAPI document describes them; their fields are the provider's own. */
const webhook = (provider: string, success: NotificationReader['success'] = 200) =>
  endpoint('POST', `/webhooks/${provider}`, 'open', {
    summary: `Notifications of payments by ${provider}, signed as it signs them. Repeats are accepted and change nothing.`,
    body: z.looseObject({}),
    ...(success === 200 && { answer: z.object({ success: z.literal(true) }) }),
    errors: ['UNAUTHENTICATED', 'PAYLOAD_TOO_LARGE'],
  })

/** The vendors' webhooks. Encapsulated, since here a body stays the bytes that were signed. */
export async function registerWebhooks(app: FastifyInstance, api: Api, deps: BankInboxDeps): Promise<void> {
  await app.register(async (webhooks) => {
    webhooks.removeAllContentTypeParsers()
    // Whatever a provider calls it: what is rightly signed is stored, and read as far as it can be.
    webhooks.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    for (const { provider, reader } of deps.payments.webhooks) {
      api.describe(webhook(provider, reader?.success))
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
