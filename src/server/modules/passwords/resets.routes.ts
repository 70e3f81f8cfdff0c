import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  changePassword,
  checkResetLink,
  requestGameCode,
  requestPasswordReset,
  resetPassword,
  resetPasswordViaGame,
  resetPasswordViaPhone,
} from '#contract/accounts/passwords.ts'
import { type Caller, callerOf, giveDeviceCookie } from '#server/modules/sessions/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { changeOwnPassword } from './change-password.service.ts'
import { resetByGame, resetByPhone } from './code-resets.service.ts'
import { requestCode, requestLink } from './link-requests.service.ts'
import { checkLink, resetByLink, type ResetsDeps } from './resets.service.ts'

export function registerPasswordResets(api: Api, deps: ResetsDeps): void {
  api.serve(requestPasswordReset, ({ body, request }) =>
    requestLink(deps, { body, requestId: request.id }, callerOf(request)),
  )
  api.serve(requestGameCode, ({ body, request }) =>
    requestCode(deps, { body, requestId: request.id }, callerOf(request)),
  )
  api.serve(resetPasswordViaGame, ({ body, request, reply }) =>
    signingIn(deps, { request, reply }, (caller) =>
      resetByGame(deps, { body, requestId: request.id }, caller),
    ),
  )
  api.serve(checkResetLink, ({ body, request }) => checkLink(deps, body.token, callerOf(request)))
  api.serve(resetPassword, ({ body, request, reply }) =>
    signingIn(deps, { request, reply }, (caller) =>
      resetByLink(deps, { body, requestId: request.id }, caller),
    ),
  )
  api.serve(resetPasswordViaPhone, ({ body, request, reply }) =>
    signingIn(deps, { request, reply }, (caller) =>
      resetByPhone(deps, { body, requestId: request.id }, caller),
    ),
  )
}

/** A reset signs in: its answer holds a token, and the account knows this device from now on. */
async function signingIn<Answer>(
  { publicUrl }: ResetsDeps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  work: (caller: Caller) => Promise<Answer>,
): Promise<Answer> {
  reply.header('cache-control', 'no-store')
  const caller = callerOf(request)
  const answer = await work(caller)
  giveDeviceCookie(reply, caller, publicUrl)
  return answer
}

export function registerChangePassword(api: Api, deps: PlatformDeps): void {
  api.serve(changePassword, ({ identity, body, request }) =>
    changeOwnPassword(deps, { identity, body, requestId: request.id }, callerOf(request)),
  )
}
