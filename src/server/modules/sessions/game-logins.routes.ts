import type { FastifyInstance } from 'fastify'
import { endpoint } from '#contract/endpoint.ts'
import { isSignedGameCall } from '#contract/game/signature.ts'
import type { Api } from '#server/platform/http/api.ts'
import { checkGameLogin, gameLoginAnswer, gameLoginBody } from './game-logins.service.ts'
import { validate } from '#server/platform/http/validate.ts'
import { notFound } from '#server/platform/values/errors.ts'
import { unauthenticated } from './sessions.errors.ts'
import type { SessionsDeps } from './sessions.service.ts'
import { VerifiedPasswords } from './verified-passwords.ts'

const BODY_LIMIT_BYTES = 4 * 1024

const gameLogin = endpoint('POST', '/game/logins', 'open', {
  summary:
    'For the game server: whether a player may log in with this password. Signed as the portal signs its own calls; no session is opened.',
  headers: {
    'X-Portal-Signature':
      '`t=<seconds>,v1=<hex>`: HMAC-SHA256 of `{t}.POST.{path}.{raw body}`, at most five minutes old.',
  },
  body: gameLoginBody,
  answer: gameLoginAnswer,
  errors: ['UNAUTHENTICATED', 'VALIDATION', 'PAYLOAD_TOO_LARGE', 'NOT_FOUND'],
})

/** Encapsulated, since here a body stays the bytes that were signed. With the embedded game nobody can sign: 404. */
export async function registerGameLogins(app: FastifyInstance, api: Api, deps: SessionsDeps): Promise<void> {
  api.describe(gameLogin)
  const logins = { ...deps, verifiedPasswords: new VerifiedPasswords() }
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    scope.post('/api/game/logins', { bodyLimit: BODY_LIMIT_BYTES }, async (request, reply) => {
      if (deps.gameSecrets.length === 0) throw notFound()
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const header = request.headers['x-portal-signature']
      const call = {
        method: 'POST',
        path: request.url,
        body: raw,
        header: typeof header === 'string' ? header : undefined,
      }
      if (!isSignedGameCall(deps.gameSecrets, call, deps.clock.now().getTime())) {
        request.log.warn({ event: 'game-login.refused' }, 'a login with a bad signature was refused')
        throw unauthenticated()
      }
      reply.header('cache-control', 'no-store')
      return checkGameLogin(logins, validate(gameLoginBody, parseJson(raw)), request.log)
    })
  })
}

/** Undefined for what is no JSON, which is no JSON value itself. */
function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw))
  } catch {
    return undefined
  }
}
