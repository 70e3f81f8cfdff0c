import { getLegalText } from '#contract/legal.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { readLegalText } from './legal.service.ts'

export function registerLegal(api: Api, { db }: PlatformDeps): void {
  api.serve(getLegalText, ({ params, query }) => readLegalText(db, params.kind, query.version))
}
