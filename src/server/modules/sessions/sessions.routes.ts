import {
  endOtherSessions,
  endSession,
  listSessions,
  listSignIns,
  login,
  logout,
  register,
  verify,
} from '#contract/auth.ts'
import type { Api } from '#server/platform/http/api.ts'
import { callerOf, giveDeviceCookie } from './caller.ts'
import { withinLoginLimits } from './login-throttle.service.ts'
import { openPlaces } from './places.ts'
import {
  endOtherSessions as endAllButThis,
  endSession as endOneSession,
  listSessions as listOwnSessions,
  logIn,
  logOut,
  registerPlayer,
  verifyToken,
  type SessionsDeps,
} from './sessions.service.ts'
import { listSignIns as listOwnSignIns } from './sign-ins.service.ts'

export function registerSessions(api: Api, deps: SessionsDeps): void {
  openPlaces()
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
  api.serve(listSignIns, ({ identity, query }) => listOwnSignIns(deps, identity, query))
  api.serve(endOtherSessions, async ({ identity, request }) => {
    await endAllButThis(deps, identity, callerOf(request))
    return undefined
  })
  api.serve(endSession, async ({ identity, params, request }) => {
    await endOneSession(deps, { identity, id: params.id }, callerOf(request))
    return undefined
  })
}
