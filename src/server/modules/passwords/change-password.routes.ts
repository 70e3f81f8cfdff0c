import { changePassword } from '#contract/passwords.ts'
import { callerOf } from '#server/modules/sessions/index.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { changeOwnPassword } from './change-password.service.ts'

export function registerChangePassword(api: Api, deps: PlatformDeps): void {
  api.serve(changePassword, ({ identity, body, request }) =>
    changeOwnPassword(deps, { identity, body, requestId: request.id }, callerOf(request)),
  )
}
