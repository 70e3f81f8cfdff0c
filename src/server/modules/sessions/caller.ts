import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '#server/platform/log/log.ts'
import { COOKIE_DAYS_MAX } from './sessions.rules.ts'
import { newToken } from '#server/platform/values/crypto.ts'

/** Where a call comes from. Its log carries the request's id. */
export type Caller = {
  log: Log
  address: string
  userAgent: string | undefined
  /** The token in the device's cookie; a new one for a device without a cookie. */
  deviceToken: string
}

const DEVICE_COOKIE = 'device'
const COOKIE_SECONDS = COOKIE_DAYS_MAX * 86_400

export const callerOf = (request: FastifyRequest): Caller => ({
  log: request.log,
  address: request.ip,
  userAgent: request.headers['user-agent'],
  deviceToken:
    /(?:^|;\s*)device=([A-Za-z0-9_-]{43})(?:;|$)/.exec(request.headers.cookie ?? '')?.[1] ?? newToken().token,
})

/** An account recognises the device by this cookie. It grants no access, and browsers send it to the API only. */
export function giveDeviceCookie(reply: FastifyReply, { deviceToken }: Caller, publicUrl: string): void {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${DEVICE_COOKIE}=${deviceToken}; Path=/api; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax${secure}`,
  )
}
