import { viewAsCall } from '#contract/operator/users.ts'
import type { Api } from '#server/platform/http/api.ts'
import { viewAs, type ViewAsDeps } from './view-as.service.ts'

export function registerViewAs(api: Api, deps: ViewAsDeps): void {
  api.serve(viewAsCall, (call) => viewAs(deps, call))
}
