import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as calls from '#contract/accounts/auth.ts'
import { operatorSession } from '#contract/operator/session.ts'
import type { Api } from '#server/platform/http/api.ts'
import { callerOf, giveDeviceCookie } from './caller.ts'
import { registerGameLogins } from './game-logins.routes.ts'
import { withinLoginLimits } from './login-throttle.service.ts'
import { openPlaces } from './places.ts'
import * as sessions from './sessions.service.ts'
import { listSignIns } from './sign-ins.service.ts'

export async function registerSessions(
  app: FastifyInstance,
  api: Api,
  deps: sessions.SessionsDeps,
): Promise<void> {
  await registerGameLogins(app, api, deps)
  // Whoever signs in waits for it.
  void openPlaces((error) => deps.log.warn({ err: error }, 'the table of countries could not be unpacked'))
  api.serve(calls.register, async ({ body, request, reply }) => {
    const caller = callerOf(request)
    const answer = await sessions.registerPlayer(deps, body, caller)
    giveDeviceCookie(reply, caller, deps.publicUrl)
    return answer
  })
  api.serve(calls.login, (call) =>
    withinLimits(deps, call, (caller) => sessions.logIn(deps, call.body, caller)),
  )
  api.serve(operatorSession.open, (call) =>
    withinLimits(deps, call, (caller) => sessions.logInToConsole(deps, call.body, caller)),
  )
  api.serve(operatorSession.close, ({ identity, request }) =>
    sessions.logOut(deps, identity, callerOf(request)),
  )
  api.serve(operatorSession.me, ({ identity }) => sessions.describeOperator(deps, identity))
  api.serve(calls.verify, async ({ body, request }) => {
    const user = await sessions.verifyToken(deps, body.access_token)
    request.userId = user.id
    return user
  })
  api.serve(calls.logout, ({ identity, request }) => sessions.logOut(deps, identity, callerOf(request)))
  api.serve(calls.listSessions, ({ identity }) => sessions.listSessions(deps, identity))
  api.serve(calls.listSignIns, ({ identity, query }) => listSignIns(deps, identity, query))
  api.serve(calls.endOtherSessions, ({ identity, request }) =>
    sessions.endOtherSessions(deps, identity, callerOf(request)),
  )
  api.serve(calls.endSession, ({ identity, params, request }) =>
    sessions.endSession(deps, { identity, id: params.id }, callerOf(request)),
  )
}

type LoginCall = { body: { username: string }; request: FastifyRequest; reply: FastifyReply }

async function withinLimits<Answer>(
  deps: sessions.SessionsDeps,
  { body, request, reply }: LoginCall,
  logIn: (caller: sessions.KnownCaller) => Promise<Answer>,
): Promise<Answer> {
  const caller = callerOf(request)
  const answer = await withinLoginLimits(deps, { username: body.username, caller }, (known) =>
    logIn({ ...caller, ...known }),
  )
  giveDeviceCookie(reply, caller, deps.publicUrl)
  return answer
}
