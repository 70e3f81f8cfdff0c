import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

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
