import type { FastifyInstance, FastifyRequest, FastifyReply } from 'fastify'
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { sendSandboxSms, verifyOneTimeCode } from '#contract/accounts/one-time-codes.ts'
import type { Api } from '#server/platform/http/api.ts'
import { type OtpDeps, receiveEsms, receiveOnepay, receiveSms, type EsmsReply } from './sms.service.ts'
import { verifyCode } from './codes.service.ts'
import { sendFromSandbox } from './sandbox.service.ts'
import type { Parameters } from './sms-signatures.ts'

type KnownDevices = {
  /** Whether the account that proved this phone signed in on the calling device. From the module sessions, which imports this one. */
  isDeviceOfPhone(phone: string, request: FastifyRequest): Promise<boolean>
}

export async function registerOtp(
  app: FastifyInstance,
  api: Api,
  deps: OtpDeps & KnownDevices,
): Promise<void> {
  await registerSms(app, api, deps)
  api.serve(verifyOneTimeCode, async ({ body, request, reply }) => {
    reply.header('cache-control', 'no-store')
    const isKnownDevice = await deps.isDeviceOfPhone(body.phone, request)
    return verifyCode(deps, { ...body, address: request.ip, isKnownDevice, log: request.log })
  })
  // The sandbox can send from any phone, so its call exists in a demo only.
  if (deps.sandbox === null) return
  api.serve(sendSandboxSms, ({ body, reply }) => {
    reply.header('cache-control', 'no-store')
    return sendFromSandbox(deps, body)
  })
}

const BODY_LIMIT_BYTES = 8 * 1024

const REFUSALS = ['UNAUTHENTICATED', 'VALIDATION', 'PAYLOAD_TOO_LARGE'] as const

/** The entries of the calls below in the OpenAPI document; the fields of the two other providers are their own. */
const SMS_CALLS = [
  endpoint('POST', '/sms/mo', 'open', {
    summary: 'A message that a phone sent to the short code; answers what the phone is sent back.',
    headers: {
      'X-Sms-Provider': 'Who delivers the message.',
      'X-Sms-Timestamp': 'The moment of the signature in seconds since 1970, at most five minutes ago.',
      'X-Sms-Signature': '`v1=` and the HMAC-SHA256 of `{timestamp}.{raw body}` in hexadecimal.',
    },
    body: z.looseObject({}),
    answer: z.object({ message_id: z.string(), reply: z.string() }),
    errors: REFUSALS,
  }),
  endpoint('GET', '/sms/mo/esms', 'open', {
    summary: 'The same as eSMS delivers it, signed in the query, answered in XML.',
    query: z.looseObject({}),
    file: 'application/xml',
    errors: REFUSALS,
  }),
  endpoint('GET', '/sms/mo/1pay', 'open', {
    summary: 'The same as 1pay delivers it, signed in the query.',
    query: z.looseObject({}),
    answer: z.object({ status: z.literal(1), sms: z.string(), type: z.literal('text') }),
    errors: REFUSALS,
  }),
]

/** The SMS providers' endpoints. Encapsulated, since here a body stays the bytes that were signed. */
async function registerSms(app: FastifyInstance, api: Api, deps: OtpDeps): Promise<void> {
  for (const call of SMS_CALLS) api.describe(call)
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
