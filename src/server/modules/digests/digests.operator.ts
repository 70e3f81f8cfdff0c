import { operatorDigestCall } from '#contract/operator/audit.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { vietnamDay } from '#server/platform/values/vietnam-time.rules.ts'
import { readDigest } from './digests.service.ts'

export function registerOperatorDigests(api: Api, deps: PlatformDeps): void {
  api.serve(operatorDigestCall, ({ query }) => readDigest(deps, query.day ?? vietnamDay(deps.clock.now())))
}
