import { endSession, listSessions, login, logout, register, verify } from '#contract/auth.ts'
import type { Api } from '#server/platform/http/api.ts'
import { callerOf, giveDeviceCookie } from './caller.ts'
import { withinLoginLimits } from './login-throttle.service.ts'
import {
  endSession as endOneSession,
  listSessions as listOwnSessions,
  logIn,
  logOut,
  registerPlayer,
  verifyToken,
  type SessionsDeps,
} from './sessions.service.ts'

export function registerSessions(api: Api, deps: SessionsDeps): void {
  api.serve(register, async ({ body, request, reply }) => {
    const caller = callerOf(request)
    const answer = await registerPlayer(deps, body, caller)
    giveDeviceCookie(reply, caller, deps.publicUrl)
    return answer
  })
  api.serve(login, async ({ body, request, reply }) => {
    const caller = callerOf(request)
    const answer = await withinLoginLimits(deps, { username: body.username, caller }, (isKnownDevice) =>
      logIn(deps, body, { ...caller, isKnownDevice }),
    )
    giveDeviceCookie(reply, caller, deps.publicUrl)
    return answer
  })
  api.serve(verify, ({ body }) => verifyToken(deps, body.access_token))
  api.serve(logout, async ({ identity, request }) => {
    await logOut(deps, identity, callerOf(request))
    return undefined
  })
  api.serve(listSessions, ({ identity }) => listOwnSessions(deps, identity))
  api.serve(endSession, async ({ identity, params, request }) => {
    await endOneSession(deps, { identity, id: params.id }, callerOf(request))
    return undefined
  })
}
