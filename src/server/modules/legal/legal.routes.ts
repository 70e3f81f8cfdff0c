import { getLegalText } from '#contract/legal.ts'
import { readPublic } from '#server/platform/db/replica.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { readLegalText } from './legal.service.ts'

export function registerLegal(api: Api, { db }: PlatformDeps): void {
  api.serveRead(getLegalText, ({ params, query }) =>
    readPublic(db, (near) => readLegalText(near, params.kind, query.version)),
  )
}
