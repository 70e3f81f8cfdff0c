import type { FastifyRequest } from 'fastify'

/** Whose visit a request is, as far as it is counted. */
export type Visitor = { address: string; userAgent: string | undefined }

export const visitorOf = (request: FastifyRequest): Visitor => ({
  address: request.ip,
  userAgent: request.headers['user-agent'],
})
