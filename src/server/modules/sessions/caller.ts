import type { FastifyRequest } from 'fastify'
import type { Log } from '#server/platform/log/log.ts'

/** Where a call comes from. Its log carries the request's id. */
export type Caller = { log: Log; address: string; userAgent: string | undefined }

export const callerOf = (request: FastifyRequest): Caller => ({
  log: request.log,
  address: request.ip,
  userAgent: request.headers['user-agent'],
})
