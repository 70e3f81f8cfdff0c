import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RechargeDeps } from './recharge-deps.ts'
import { receiveSepay } from './sepay.service.ts'

const BODY_LIMIT_BYTES = 64 * 1024

/** The provider's door. Encapsulated, since here a body stays the bytes that were signed. */
export async function registerSepay(app: FastifyInstance, deps: RechargeDeps): Promise<void> {
  await app.register(async (webhooks) => {
    webhooks.removeAllContentTypeParsers()
    webhooks.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    webhooks.post('/api/webhooks/sepay', { bodyLimit: BODY_LIMIT_BYTES }, async (request) => {
      await receiveSepay(deps, {
        raw: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
        headers: readHeaders(request),
        requestId: request.id,
        log: request.log,
      })
      return { success: true }
    })
  })
}

function readHeaders({ headers }: FastifyRequest) {
  const text = (name: string, value: string | string[] | undefined) =>
    typeof value === 'string' ? { [name]: value } : {}
  return {
    ...text('timestamp', headers['x-sepay-timestamp']),
    ...text('signature', headers['x-sepay-signature']),
    ...text('authorization', headers.authorization),
  }
}
