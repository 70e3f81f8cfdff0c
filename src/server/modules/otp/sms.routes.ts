import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OtpDeps } from './otp-deps.ts'
import { receiveEsms, receiveOnepay, receiveSms, type EsmsReply } from './sms-endpoints.service.ts'
import type { Parameters } from './sms-signatures.ts'

const BODY_LIMIT_BYTES = 8 * 1024

/** The SMS providers' endpoints. Encapsulated, since here a body stays the bytes that were signed. */
export async function registerSms(app: FastifyInstance, deps: OtpDeps): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    scope.post('/api/sms/mo', { bodyLimit: BODY_LIMIT_BYTES }, async (request, reply) =>
      unstored(reply).send(
        await receiveSms(deps, {
          raw: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
          provider: header(request, 'x-sms-provider') ?? '',
          timestamp: header(request, 'x-sms-timestamp'),
          signature: header(request, 'x-sms-signature'),
          log: request.log,
        }),
      ),
    )
    // These providers call by GET, each in its own shape.
    scope.get('/api/sms/mo/esms', { exposeHeadRoute: false }, async (request, reply) => {
      const answer = await receiveEsms(deps, { given: parameters(request), log: request.log })
      return unstored(reply).type('application/xml; charset=utf-8').send(esmsXml(answer))
    })
    scope.get('/api/sms/mo/1pay', { exposeHeadRoute: false }, async (request, reply) => {
      const sms = await receiveOnepay(deps, { given: parameters(request), log: request.log })
      return unstored(reply).send({ status: 1, sms, type: 'text' })
    })
  })
}

/** A reply may hold a code. */
const unstored = (reply: FastifyReply) => reply.header('cache-control', 'no-store')

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

/** What was given once. A name given twice counts as absent: which of the two was signed is anybody's guess. */
function parameters({ query }: FastifyRequest): Parameters {
  const given = Object.entries(query as Record<string, unknown>)
  return Object.fromEntries(
    given.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}

const escapeXml = (text: string) => text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)

function esmsXml({ reply, smsid, sender }: EsmsReply): string {
  const [message, id, receiver] = [reply, smsid, sender].map(escapeXml)
  return `<?xml version="1.0" encoding="utf-8"?><ClientResponse><Message>${message}</Message><Smsid>${id}</Smsid><Receiver>${receiver}</Receiver></ClientResponse>`
}
