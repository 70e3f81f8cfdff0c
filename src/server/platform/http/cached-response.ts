import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { ENCODE, type Encoding, encodingFor } from './accepted-encodings.ts'

/** The tag of an answer that this text determines. */
export const etagOf = (content: string): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`

/** Whether the client has the tagged version already; proxies may have made the tag a weak one. */
export function hasEtag({ headers }: Pick<FastifyRequest, 'headers'>, etag: string): boolean {
  const known = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return known?.includes(etag.replace(/^W\//, '')) ?? false
}

/** Sends a body with its tag, or 304 to a client that has it. */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, body }: { etag: string; body: string | Buffer },
): FastifyReply {
  reply.header('etag', etag)
  return hasEtag(request, etag) ? reply.code(304).send() : reply.send(body)
}

/** Below it the headers that compression adds outweigh what it saves. */
const COMPRESSED_BYTES_MIN = 1_000

/** Reduced to its schema, for pages; serialised, tagged and compressed when a client requests it. */
export class CachedResponse {
  readonly shown: unknown
  #sent: { body: Buffer; etag: string } | null = null
  readonly #compressed: Partial<Record<Encoding, { body: Buffer; etag: string }>> = {}

  constructor(shown: unknown) {
    this.shown = shown
  }

  get #plain(): { body: Buffer; etag: string } {
    if (this.#sent !== null) return this.#sent
    const text = JSON.stringify(this.shown)
    return (this.#sent = { body: Buffer.from(text), etag: etagOf(text) })
  }

  /** Sends it, compressed when the client accepts that: once for each encoding, as long as the content stays the same. */
  sendTo(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { body, etag } = this.#plain
    if (body.length < COMPRESSED_BYTES_MIN) return sendTagged(request, reply, this.#plain)
    reply.header('vary', 'Accept-Encoding')
    const encoding = encodingFor(request.headers['accept-encoding'])
    if (encoding === 'identity') return sendTagged(request, reply, this.#plain)
    // The same content in other bytes has a weak tag (RFC 9110, 8.8.1).
    const compressed = (this.#compressed[encoding] ??= { body: ENCODE[encoding](body), etag: `W/${etag}` })
    return sendTagged(request, reply.header('content-encoding', encoding), compressed)
  }
}

/**
 * Answers that a handler returns again until their content changes (`cachedContent`): each is checked against the schema,
 * serialised and tagged once. An answer that nothing refers to any more is collected with its bytes.
 */
export function responseCache(schema: z.ZodMiniType): (answer: object) => CachedResponse {
  const cached = new WeakMap<object, CachedResponse>()
  return (answer) => {
    const known = cached.get(answer)
    if (known !== undefined) return known
    const made = new CachedResponse(z.parse(schema, answer))
    cached.set(answer, made)
    return made
  }
}
