import { requestPasswordReset, resetPassword, resetPasswordViaPhone } from '#contract/passwords.ts'
import { callerOf } from '#server/modules/sessions/index.ts'
import type { Api } from '#server/platform/http/api.ts'
import { requestLink } from './link-requests.service.ts'
import { resetByLink, resetByPhone, type ResetsDeps } from './resets.service.ts'

export function registerPasswordResets(api: Api, deps: ResetsDeps): void {
  api.serve(requestPasswordReset, ({ body, request }) =>
    requestLink(deps, { body, requestId: request.id }, callerOf(request)),
  )
  api.serve(resetPassword, ({ body, request, reply }) => {
    // A token is in the answer.
    reply.header('cache-control', 'no-store')
    return resetByLink(deps, { body, requestId: request.id }, callerOf(request))
  })
  api.serve(resetPasswordViaPhone, ({ body, request, reply }) => {
    reply.header('cache-control', 'no-store')
    return resetByPhone(deps, { body, requestId: request.id }, callerOf(request))
  })
}
