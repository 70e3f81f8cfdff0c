import * as calls from '#contract/accounts/one-time-codes.ts'
import { stepUpCall } from '#contract/operator/session.ts'
import type { Api } from '#server/platform/http/api.ts'
import * as secondFactor from './second-factor.service.ts'

export function registerSecondFactor(api: Api, deps: secondFactor.SecondFactorDeps): void {
  api.serve(calls.getSecondFactor, ({ identity }) => secondFactor.describeSecondFactor(deps, identity))
  api.serve(calls.startSecondFactor, ({ identity }) => secondFactor.startSetup(deps, identity))
  api.serve(calls.confirmSecondFactor, ({ identity, body, request }) =>
    secondFactor.confirmSetup(deps, { identity, code: body.code, requestId: request.id }),
  )
  api.serve(calls.removeSecondFactor, ({ identity, body, request }) =>
    secondFactor.removeByCode(deps, { identity, code: body.code, requestId: request.id }),
  )
  api.serve(stepUpCall, ({ identity, body, request }) =>
    secondFactor.stepUp(deps, { identity, code: body.otp, requestId: request.id }),
  )
}
