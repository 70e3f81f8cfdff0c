import { operatorStatistics } from '#contract/operator/statistics.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { readStatistics } from './statistics.service.ts'

export function registerOperatorStatistics(api: Api, deps: PlatformDeps): void {
  api.serve(operatorStatistics.read, ({ query }) => readStatistics(deps, query))
}
