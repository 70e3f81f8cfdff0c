import {
  confirmSecondFactor,
  getSecondFactor,
  removeSecondFactor,
  startSecondFactor,
} from '#contract/second-factor.ts'
import { stepUpCall } from '#contract/operator/step-up.ts'
import type { Api } from '#server/platform/http/api.ts'
import {
  confirmSetup,
  removeByCode,
  startSetup,
  stepUp,
  tellSecondFactor,
  type SecondFactorDeps,
  type StepUpDeps,
} from './second-factor.service.ts'

export function registerSecondFactor(api: Api, deps: SecondFactorDeps & StepUpDeps): void {
  api.serve(getSecondFactor, ({ identity }) => tellSecondFactor(deps, identity))
  api.serve(startSecondFactor, ({ identity }) => startSetup(deps, identity))
  api.serve(confirmSecondFactor, ({ identity, body, request }) =>
    confirmSetup(deps, { identity, code: body.code, requestId: request.id }),
  )
  api.serve(removeSecondFactor, async ({ identity, body, request }) => {
    await removeByCode(deps, { identity, code: body.code, requestId: request.id })
    return undefined
  })
  api.serve(stepUpCall, ({ identity, body, request }) =>
    stepUp(deps, { identity, code: body.otp, requestId: request.id }),
  )
}
