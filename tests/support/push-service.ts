import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PushContent } from '#contract/notices.ts'
import { openPublicOutbound } from '#server/platform/http/outbound.ts'
import { PUSH_SERVICES } from '#server/modules/push/index.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { startTestApp, type TestApp, type TestAppOptions } from './app.ts'
import type { TestPlayer } from './players.ts'
import { afterAll, beforeAll } from 'vitest'

/** A message as the browser sees it, with what the push service was told about it. */
export type PushedMessage = {
  browser: string
  content: PushContent
  topic: string | undefined
  ttl: number
  urgency: string | undefined
  /** Of the portal's key. */
  publicKey: string
  subject: string
  atMs: number
}

type Browser = { id: string; ecdh: ECDH; auth: Buffer }

export type PushService = {
  origin: string
  received: PushedMessage[]
  /** A browser's subscription, as it would be posted. */
  subscription(): { id: string; endpoint: string; keys: { p256dh: string; auth: string } }
  /** What it answers from now on. */
  answer(status: number): void
  close(): Promise<void>
}

/** A push service and the browsers behind it: it refuses whatever is not signed and encrypted by RFC 8292 and RFC 8291. */
export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, Browser>()
  const received: PushedMessage[] = []
  let status = 201
  let origin = ''
  const server = createServer((request, response) => {
    void read(request)
      .then((message) => {
        received.push(message)
        response.writeHead(status).end()
      })
      .catch((error: unknown) => response.writeHead(400).end(String(error)))
  })

  async function read(request: IncomingMessage): Promise<PushedMessage> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const browser = browsers.get(request.url?.split('/').at(-1) ?? '')
    invariant(browser, 'the endpoint was given out')
    invariant(request.headers['content-encoding'] === 'aes128gcm', 'the content is encrypted by RFC 8188')
    return {
      browser: browser.id,
      content: JSON.parse(decrypted(browser, Buffer.concat(chunks))) as PushContent,
      topic: request.headers['topic'] as string | undefined,
      ttl: Number(request.headers['ttl']),
      urgency: request.headers['urgency'] as string | undefined,
      atMs: performance.now(),
      ...signatureOf(request.headers.authorization ?? '', origin),
    }
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    received,
    subscription() {
      const ecdh = createECDH('prime256v1')
      ecdh.generateKeys()
      const browser = { id: String(browsers.size + 1), ecdh, auth: randomBytes(16) }
      browsers.set(browser.id, browser)
      const keys = { p256dh: ecdh.getPublicKey('base64url'), auth: browser.auth.toString('base64url') }
      return { id: browser.id, endpoint: `${origin}/push/${browser.id}`, keys }
    },
    answer(next) {
      status = next
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const hkdf = (secret: Buffer, salt: Buffer, { info, bytes }: { info: Buffer; bytes: number }) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))

/** RFC 8291, section 3.4, on the browser's side; one record, as push messages have. */
function decrypted({ ecdh, auth }: Browser, body: Buffer): string {
  const salt = body.subarray(0, 16)
  const keyBytes = body[20] ?? 0
  const sender = body.subarray(21, 21 + keyBytes)
  const record = body.subarray(21 + keyBytes)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender])
  const secret = hkdf(ecdh.computeSecret(sender), auth, { info, bytes: 32 })
  const key = hkdf(secret, salt, { info: Buffer.from('Content-Encoding: aes128gcm\0'), bytes: 16 })
  const nonce = hkdf(secret, salt, { info: Buffer.from('Content-Encoding: nonce\0'), bytes: 12 })
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  invariant(end >= 0 && padded.subarray(end + 1).every((byte) => byte === 0), 'the last record ends with 2')
  return padded.subarray(0, end).toString('utf8')
}

/** RFC 8292: a JWT for this service, signed with the key beside it, for a day at most. */
function signatureOf(authorization: string, origin: string): { publicKey: string; subject: string } {
  const [, token, publicKey] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? []
  invariant(token && publicKey, 'a message is signed')
  const [header = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(publicKey, 'base64url')
  const key = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  const isRight = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  invariant(isRight, 'the signature is right')
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>
  const secondsLeft = Number(exp) - Date.now() / 1000
  invariant(
    aud === origin && secondsLeft > 0 && secondsLeft <= 86_400,
    'the token is for this service, and fresh',
  )
  return { publicKey, subject: String(sub) }
}

/** The keys of a browser that is never written to. */
export function browserKeys(): { p256dh: string; auth: string } {
  const ecdh = createECDH('prime256v1')
  return { p256dh: ecdh.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') }
}

/** The portal of a test file with a push service that it may call. */
export function usePushingApp(options: TestAppOptions = {}): { portal: TestApp; service: PushService } {
  const pushing = { portal: {} as TestApp, service: {} as PushService }
  beforeAll(async () => {
    Object.assign(pushing.service, await startPushService())
    const pushOutbound = openPublicOutbound({ hosts: PUSH_SERVICES, testOrigin: pushing.service.origin })
    Object.assign(pushing.portal, await startTestApp({ ...options, overrides: { pushOutbound } }))
  })
  afterAll(async () => {
    await pushing.portal.close()
    await pushing.service.close()
  })
  return pushing
}

/** A browser of the player that is told from now on. */
export async function aBrowser(
  { portal, service }: { portal: TestApp; service: PushService },
  { token }: Pick<TestPlayer, 'token'>,
): Promise<{ id: string; browser: string; endpoint: string }> {
  const { id: browser, ...body } = service.subscription()
  const answer = await portal.call('POST', '/api/push/subscriptions', { token, body })
  invariant(answer.status === 201, `a browser subscribes: ${JSON.stringify(answer.body)}`)
  return { id: answer.body.id as string, browser, endpoint: body.endpoint }
}
